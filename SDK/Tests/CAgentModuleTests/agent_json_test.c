/* What agent_json.h promises. Tools/prove-c.sh compiles and runs it; arguments are JSON files, all
 * of which must be read. SEED chooses the fuzz test's inputs. */
#undef NDEBUG
#include "agent_json.h"

#include <assert.h>
#include <limits.h>
#include <locale.h>
#include <math.h>

/* Bytes in memory of exactly their size, so that the sanitizer sees a read behind them. */
static agent_bytes allocate(const void *bytes, size_t length) {
  uint8_t *copy = malloc(length ? length : 1);
  assert(copy);
  if (length) memcpy(copy, bytes, length);
  return (agent_bytes){copy, length};
}

static void release(agent_bytes bytes) { free((void *)bytes.ptr); }

static bool is_json(const char *text) {
  agent_bytes bytes = allocate(text, strlen(text));
  bool is = agent_json_parse(bytes).ptr != NULL;
  release(bytes);
  return is;
}

static agent_json member(const char *object, const char *key) {
  return agent_json_get(agent_text(object), key);
}

static void accepts_what_is_json_and_refuses_what_is_not(void) {
  static const char *const good[] = {
      "null", " true\n", "false", "0", "-0", "-12.5e+3", "1E400", "\"\"", "[]", "{}", "[ ]", "{ }",
      "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uD83D\\uDE00\"", "\"\x7f\xc2\x80\xf4\x8f\xbf\xbf\"",
      "[1,\t2 , [3]]", "{\"a\" : {\"\":[]}, \"b\":0}",
  };
  static const char *const bad[] = {
      "", " ", "nul", "truex", "+1", "01", "-", "-a", "1.", ".5", "1e", "1e+", "0x1", "NaN", "'a'",
      "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "\"\\ud800\"", "\"\\udc00\"",
      "\"\\ud800\\u0041\"", "\"\\ud800x\"", "\"\x80\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"",
      "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "\"\xff\"",
      "\"\xf9\x80\x80\x80\"", "\"\xe0\x80\x80\"", "\"\xf0\x80\x80\x80\"", "\"\\ud800\\ue000\"", "[", "]", "[1", "[1,", "[1,]", "[,1]",
      "[1 2]", "[1}", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{\"a\" 1}", "{a:1}",
      "{1:1}", "{\"a\":1,,}", "1 2", "[]]", "\xef\xbb\xbf[]", "/**/1", "[1]\v",
  };
  for (size_t at = 0; at < sizeof good / sizeof *good; at++) assert(is_json(good[at]));
  for (size_t at = 0; at < sizeof bad / sizeof *bad; at++) assert(!is_json(bad[at]));
  assert(!agent_json_parse((agent_bytes){NULL, 0}).ptr);
  assert(!agent_json_parse((agent_bytes){(const uint8_t *)"1\0", 2}).ptr);
}

static void bounds_how_deep_values_are_inside_one_another(void) {
  char text[2 * 100000];
  for (int depth = 63; depth <= 65; depth++) {
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    text[2 * depth] = 0;
    assert(is_json(text) == (depth <= AGENT_JSON_DEPTH));
  }
  agent_json element = AGENT_JSON_NONE;
  assert(!agent_json_next(agent_text(text), &element));
  memset(text, '[', sizeof text);
  assert(!agent_json_next((agent_json){(uint8_t *)text, sizeof text}, &element));
}

static void finds_members_and_elements(void) {
  const char *text = " {\"a\": [1, {\"b\": \"x\"}, []], \"\\u0063\" : true, \"c\":false, \"\":{}} ";
  agent_json list = member(text, "a"), element = AGENT_JSON_NONE, key = AGENT_JSON_NONE;
  assert(agent_json_kind_of(list) == AGENT_JSON_ARRAY && list.len == 19);
  assert(agent_json_next(list, &element) && agent_json_int(element, 0) == 1);
  assert(agent_json_next(list, &element) && agent_json_equals(agent_json_get(element, "b"), "x"));
  assert(agent_json_next(list, &element) && agent_json_kind_of(element) == AGENT_JSON_ARRAY);
  assert(!agent_json_next(list, &element) && !element.ptr);
  assert(agent_json_bool(member(text, "c"), false));
  assert(agent_json_kind_of(member(text, "")) == AGENT_JSON_OBJECT);
  assert(!member(text, "d").ptr && !agent_json_get(list, "b").ptr && !member("", "a").ptr);
  int count = 0;
  for (; agent_json_next_member(agent_text(text), &key, &element); count++) {}
  assert(count == 4 && !key.ptr && !element.ptr);
  assert(!agent_json_next(agent_text("{\"a\":1}"), &element));
  assert(!agent_json_next_member(agent_text("[1]"), &key, &element));
}

static void finds_what_stands_before_a_mistake_and_nothing_behind_it(void) {
  const char *text = "{\"a\":1, \"b\":[2, x], \"c\":3}";
  assert(agent_json_int(member(text, "a"), 0) == 1);
  assert(!member(text, "b").ptr && !member(text, "c").ptr);
  assert(!agent_json_parse(agent_text(text)).ptr);
  agent_json element = AGENT_JSON_NONE, list = agent_text("[1 22]");
  assert(agent_json_next(list, &element) && !agent_json_next(list, &element));
}

static int64_t integer(const char *text) { return agent_json_int(agent_text(text), -7); }

static void integers_are_exact_or_refused(void) {
  assert(integer("9223372036854775807") == INT64_MAX);
  assert(integer("-9223372036854775808") == INT64_MIN);
  assert(integer("9223372036854775808") == -7 && integer("-9223372036854775809") == -7);
  assert(integer("5.0") == 5 && integer("1.25e2") == 125 && integer("1200e-2") == 12);
  assert(integer("-0") == 0 && integer("0e99999999999999999999") == 0 && integer("0.0") == 0);
  assert(integer("1.5") == -7 && integer("1e-1") == -7 && integer("1e19") == -7);
  assert(integer("9e18") == 9000000000000000000 && integer("1e99999999999999999999") == -7);
  assert(integer("1e-99999999999999999999") == -7 && integer("0.00001e5") == 1);
  assert(integer("18446744073709551616") == -7 && integer("\"5\"") == -7 && integer("") == -7);
}

static double real(const char *text) { return agent_json_double(agent_text(text), -7); }

static void doubles_are_the_nearest(void) {
  char half[1200] = "";
  assert(real("0.1") == 0.1 && real("-1.5e3") == -1500 && real("1e400") == -7 && real("5") == 5);
  assert(real("1e-400") == 0 && real("4.9406564584124654e-324") == 4.9406564584124654e-324);
  assert(real("1.7976931348623157e308") == DBL_MAX && real("null") == -7);
  /* Halfway between two doubles, and a little more behind a thousand zeros. */
  strcpy(half, "9007199254740993.");
  memset(half + 17, '0', 1000);
  assert(real(half) == 9007199254740992.0);
  half[1016] = '1';
  assert(real(half) == 9007199254740994.0);
  memset(half, '0', 1010);
  half[1] = '.';
  strcpy(half + 1010, "25e1009");
  assert(real(half) == 2.5);
}

static void strings_lose_their_escapes_and_keep_whole_characters(void) {
  agent_json text = agent_text("\"a\\n\\u00e4\\ud83d\\ude00\"");
  char out[16] = "?";
  assert(agent_json_copy_text(text, out, sizeof out) && !strcmp(out, "a\n\xc3\xa4\xf0\x9f\x98\x80"));
  assert(agent_json_copy_text(text, out, 9) && !agent_json_copy_text(text, out, 8));
  assert(!strcmp(out, "a\n\xc3\xa4"));
  assert(!agent_json_copy_text(text, out, 4) && !strcmp(out, "a\n"));
  assert(!agent_json_copy_text(text, out, 0));
  assert(!agent_json_copy_text(agent_text("\"a\\u0000b\""), out, sizeof out) && !strcmp(out, "a"));
  assert(!agent_json_copy_text(agent_text("12"), out, sizeof out) && !strcmp(out, ""));
  assert(!agent_json_new_text(agent_text("\"\\u0000\"")) && !agent_json_new_text(agent_text("1")));
  char *copy = agent_json_new_text(text);
  assert(!strcmp(copy, "a\n\xc3\xa4\xf0\x9f\x98\x80") && agent_json_equals(text, copy));
  free(copy);
  assert(agent_json_equals(agent_text("\"\\u0061b\""), "ab") && !agent_json_equals(text, "a\n"));
  assert(!agent_json_equals(agent_text("\"a\""), "ab") && !agent_json_equals(agent_text("1"), "1"));
  assert(!agent_json_equals(agent_text("\"a\\u0000\""), "a"));
}

static void writes(const char *expected, agent_json_writer *writer) {
  agent_json written = agent_json_written(writer);
  assert(written.ptr && written.len == strlen(expected) && !memcmp(written.ptr, expected, written.len));
  agent_json_reset(writer);
}

static void a_pattern_quotes_what_it_must(void) {
  agent_json_writer w = {0};
  agent_json object = agent_text(" {\"a\": 1} ");
  /* The compiler would warn where it sees a NULL; at run time it is a value that isn't there. */
  const char *volatile nothing = NULL;
  agent_json_print(&w, "{'s':%s,'n':%s,'o':%.*s,", "say \"hi\"\n\\\xff\xc3\xa4'", nothing,
                   AGENT_JSON_ARG(object));
  agent_json_print(&w, "'none':%.*s,'percent':'%%'}", 0, nothing);
  writes("{\"s\":\"say \\\"hi\\\"\\u000a\\\\\xef\xbf\xbd\xc3\xa4'\",\"n\":null,\"o\":{\"a\": 1},"
         "\"none\":null,\"percent\":\"%\"}", &w);
  agent_json_print(&w, "[%d,%ld,%lld,%u,%lu,%llu,%zu]", -1, LONG_MIN, INT64_MIN + 0LL, UINT_MAX,
                   ULONG_MAX, ULLONG_MAX, (size_t)7);
  writes("[-1,-9223372036854775808,-9223372036854775808,4294967295,18446744073709551615,"
         "18446744073709551615,7]", &w);
  agent_json_print(&w, "[%g,%g,%g,%g,%g,%g]", 0.95, 1e300, -0.0, 1.0 / 3, (double)INFINITY, (double)NAN);
  writes("[0.95,1e+300,-0,0.3333333333333333,null,null]", &w);
  agent_json_quote(&w, (agent_bytes){(const uint8_t *)"a\0b", 3});
  writes("\"a\\u0000b\"", &w);
}

static void what_is_not_one_json_value_is_not_written(void) {
  static const char *const patterns[] = {"", "[1", "1 2", "'it's'", "%", "[%", "%i", "%.2f", "%lls", "1%i"};
  for (size_t at = 0; at < sizeof patterns / sizeof *patterns; at++) {
    agent_json_writer w = {0};
    const char *volatile pattern = patterns[at];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    agent_json_print(&w, pattern);
#pragma GCC diagnostic pop
    assert(!agent_json_written(&w).ptr);
    agent_json_reset(&w);
  }
  agent_json_writer w = {0};
  agent_json_print(&w, "[%.*s]", 3, "1,2");
  assert(w.failed && !agent_json_written(&w).ptr);
  agent_json_reset(&w);
}

static void the_locale_changes_nothing(void) {
  if (!setlocale(LC_ALL, "de_DE.UTF-8")) puts("no locale with a decimal comma here");
  agent_json_writer w = {0};
  agent_json_print(&w, "[%g]", 1.5);
  writes("[1.5]", &w);
  assert(real("0.25") == 0.25);
  setlocale(LC_ALL, "C");
}

/* ------------------------------------------------------------------------------------ at random */

static uint64_t state;

static uint64_t random_number(void) { /* splitmix64 */
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* Looks at everything in a value that was found, and writes it again. */
static void look(agent_json value) {
  agent_json_writer w = {0};
  agent_json key = AGENT_JSON_NONE, inner = AGENT_JSON_NONE;
  char small[5], *text = agent_json_new_text(value);
  assert(agent_json_parse(value).len == value.len);
  agent_json_copy_text(value, small, sizeof small);
  if (text) {
    assert(agent_json_equals(value, text));
    agent_json_quote(&w, agent_text(text));
    assert(agent_json_equals(agent_json_written(&w), text));
    free(text);
  } else {
    agent_json_print(&w, "%.*s", AGENT_JSON_ARG(value));
    assert(agent_json_written(&w).len == value.len);
  }
  agent_json_reset(&w);
  agent_json_bool(value, false);
  double number = agent_json_double(value, 0);
  int64_t integer = agent_json_int(value, 0);
  if (integer) assert((double)integer == number);
  while (agent_json_next(value, &inner)) look(inner);
  for (; agent_json_next_member(value, &key, &inner); look(inner)) look(key);
}

static void bytes_at_random_break_nothing(int rounds) {
  static const char *const seeds[] = {
      "{\"name\": \"x\", \"list\": [1, -2.5e+3, true, null], \"o\": {\"k\": {}, \"e\": []}}",
      "{\r\n\t\"a\" :1 ,\n \"b\":[ 1,2 ],\n \"c\": {\"d\": \"\\u00e9\\ud83d\\ude00\xc3\xa9\"}\n}\n",
      "[[[[]]],[{\"a\":[{\"a\":0}]}],\"\\u0000\\n\\/\\\"\",1E+2,-0,0.1e-7,12345678901234567890123]",
  };
  static const char alphabet[] = "{}[]:,\"\\u0dD8e9E+-.1 \n\xc3\xa9\xf0\xed\xa0\x80tfn";
  int valid = 0;
  for (int round = 0; round < rounds; round++) {
    const char *seed = seeds[random_number() % 3];
    size_t length = strlen(seed);
    if (random_number() % 2) length -= random_number() % length;
    agent_bytes text = allocate(seed, length);
    for (uint64_t left = random_number() % 4; left > 0 && length > 0; left--) {
      uint8_t *byte = (uint8_t *)text.ptr + random_number() % length;
      bool is_known = random_number() % 4 != 0;
      uint64_t any = random_number();
      *byte = is_known ? (uint8_t)alphabet[any % (sizeof alphabet - 1)] : (uint8_t)any;
    }
    agent_json value = agent_json_parse(text), inner = AGENT_JSON_NONE, key = AGENT_JSON_NONE;
    if (value.ptr) look(value), valid++;
    while (agent_json_next(text, &inner)) look(inner);
    while (agent_json_next_member(text, &key, &inner)) look(inner);
    agent_json_writer w = {0};
    agent_json_quote(&w, text);
    assert(agent_json_kind_of(agent_json_written(&w)) == AGENT_JSON_STRING);
    agent_json_reset(&w);
    release(text);
  }
  printf("%d texts at random, %d of them JSON\n", rounds, valid);
}

static void numbers_at_random_are_read_as_they_were_written(int rounds) {
  for (int round = 0; round < rounds; round++) {
    agent_json_writer w = {0};
    uint64_t bits = random_number() >> random_number() % 64;
    double number;
    memcpy(&number, &bits, sizeof number);
    int64_t integer = (int64_t)(random_number() % 2 ? bits : 0 - bits);
    agent_json_print(&w, "[%lld,%g]", (long long)integer, number);
    agent_json element = AGENT_JSON_NONE, list = agent_json_written(&w);
    assert(agent_json_next(list, &element) && agent_json_int(element, ~integer) == integer);
    assert(agent_json_next(list, &element));
    if (number - number == 0) assert(agent_json_double(element, -7) == number);
    agent_json_reset(&w);

    char text[64];
    unsigned long long fraction = random_number();
    snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(bits >> 32), fraction,
             (int)(random_number() % 80) - 40);
    assert(real(text) == strtod(text, NULL));
  }
}

static void reads_the_file(const char *path) {
  static char text[4 << 20];
  FILE *file = fopen(path, "rb");
  assert(file);
  agent_bytes bytes = allocate(text, fread(text, 1, sizeof text, file));
  fclose(file);
  agent_json value = agent_json_parse(bytes);
  if (!value.ptr) printf("%s isn't read\n", path), abort();
  look(value);
  release(bytes);
}

int main(int count, char **arguments) {
  const char *seed = getenv("SEED");
  state = seed ? strtoull(seed, NULL, 10) : 1;
  accepts_what_is_json_and_refuses_what_is_not();
  bounds_how_deep_values_are_inside_one_another();
  finds_members_and_elements();
  finds_what_stands_before_a_mistake_and_nothing_behind_it();
  integers_are_exact_or_refused();
  doubles_are_the_nearest();
  strings_lose_their_escapes_and_keep_whole_characters();
  a_pattern_quotes_what_it_must();
  what_is_not_one_json_value_is_not_written();
  the_locale_changes_nothing();
  bytes_at_random_break_nothing(100000);
  numbers_at_random_are_read_as_they_were_written(100000);
  for (int at = 1; at < count; at++) reads_the_file(arguments[at]);
  return 0;
}
