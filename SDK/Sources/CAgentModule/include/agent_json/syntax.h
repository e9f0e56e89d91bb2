/* A part of agent_json.h: characters, and where a value ends. */
#ifndef AGENT_JSON_SYNTAX_H
#define AGENT_JSON_SYNTAX_H

#ifndef AGENT_JSON_H
#error "Include agent_json.h."
#endif

static inline agent_bytes agent_text(const char *text) {
  agent_bytes bytes = {(const uint8_t *)text, text ? strlen(text) : 0};
  return bytes;
}

static inline agent_json agent_json_part(agent_json text, size_t from, size_t to) {
  agent_json part = {text.ptr + from, to - from};
  return part;
}

/* --------------------------------------------------------------------------------- characters */

/* The character of UTF-8 at `at`, and how many bytes it has; -1 where it is malformed. */
static inline int32_t agent_json_utf8(agent_bytes text, size_t at, size_t *size) {
  static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  uint8_t first = text.ptr[at];
  size_t count = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  int32_t scalar = count < 2 ? first : first & (0x7f >> count);
  *size = 1;
  if (count == 0 || first > 0xf4 || count > text.len - at) return -1;
  for (size_t next = 1; next < count; next++) {
    if ((text.ptr[at + next] & 0xc0) != 0x80) return -1;
    scalar = scalar << 6 | (text.ptr[at + next] & 0x3f);
  }
  /* Longer than it need be, beyond Unicode, or half of a pair of UTF-16. */
  if (scalar < least[count] || scalar > 0x10ffff || (scalar >= 0xd800 && scalar <= 0xdfff)) return -1;
  *size = count;
  return scalar;
}

/* Four hexadecimal digits, behind which `at` is left; -1 where they aren't. */
static inline int32_t agent_json_hexadecimal(agent_json text, size_t *at) {
  int32_t number = 0;
  if (text.len - *at < 4) return -1;
  for (int count = 0; count < 4; count++) {
    uint8_t c = text.ptr[(*at)++];
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return -1;
    number = number << 4 | digit;
  }
  return number;
}

/* What an escape means, from behind its backslash; -1 where there is no such escape. */
static inline int32_t agent_json_escape(agent_json text, size_t *at) {
  static const char known[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  if (*at >= text.len) return -1;
  uint8_t c = text.ptr[(*at)++];
  if (c != 'u') {
    const void *found = memchr(known, c, sizeof known - 1);
    return found ? meant[(const char *)found - known] : -1;
  }
  int32_t high = agent_json_hexadecimal(text, at);
  if (high < 0xd800 || high > 0xdfff) return high;
  if (high > 0xdbff || text.len - *at < 2 || memcmp(text.ptr + *at, "\\u", 2) != 0) return -1;
  *at += 2;
  int32_t low = agent_json_hexadecimal(text, at);
  return low < 0xdc00 || low > 0xdfff ? -1 : 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/* The character of a string at `at`, which moves on behind it; -1 where there is none. */
static inline int32_t agent_json_character(agent_json text, size_t *at) {
  size_t size;
  if (text.ptr[*at] == '\\') return ++*at, agent_json_escape(text, at);
  if (text.ptr[*at] < 0x20) return -1;
  int32_t scalar = agent_json_utf8(text, *at, &size);
  *at += size;
  return scalar;
}

/* Writes a character as UTF-8; returns how many bytes it has. */
static inline size_t agent_json_put_utf8(int32_t c, char out[4]) {
  size_t count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  static const uint8_t marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t at = count; --at > 0; c >>= 6) out[at] = (char)(0x80 | (c & 0x3f));
  out[0] = (char)(marks[count] | c);
  return count;
}

/* ------------------------------------------------ the end of a value: 0 where there is no value */

static inline size_t agent_json_skip_blanks(agent_json text, size_t at) {
  while (at < text.len && memchr(" \t\r\n", text.ptr[at], 4)) at++;
  return at;
}

static inline size_t agent_json_skip_word(agent_json text, size_t at, const char *word) {
  size_t length = strlen(word);
  return length <= text.len - at && !memcmp(text.ptr + at, word, length) ? at + length : 0;
}

static inline size_t agent_json_skip_string(agent_json text, size_t at) {
  if (at >= text.len || text.ptr[at++] != '"') return 0;
  while (at < text.len && text.ptr[at] != '"') {
    if (agent_json_character(text, &at) < 0) return 0;
  }
  return at < text.len ? at + 1 : 0;
}

static inline size_t agent_json_skip_digits(agent_json text, size_t at) {
  size_t begin = at;
  while (at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9') at++;
  return at > begin ? at : 0;
}

static inline size_t agent_json_skip_number(agent_json text, size_t at) {
  if (text.ptr[at] == '-') at++;
  bool is_zero = at < text.len && text.ptr[at] == '0';
  at = is_zero ? at + 1 : agent_json_skip_digits(text, at);
  if (at && at < text.len && text.ptr[at] == '.') at = agent_json_skip_digits(text, at + 1);
  if (at && at < text.len && (text.ptr[at] == 'e' || text.ptr[at] == 'E')) {
    at++;
    if (at < text.len && (text.ptr[at] == '+' || text.ptr[at] == '-')) at++;
    at = agent_json_skip_digits(text, at);
  }
  return at;
}

/* Leaves `at` at the value of the member that begins there; its key, or none. */
static inline agent_json agent_json_key(agent_json text, size_t *at) {
  agent_json none = AGENT_JSON_NONE;
  size_t begin = *at, end = agent_json_skip_string(text, begin);
  *at = agent_json_skip_blanks(text, end);
  if (end == 0 || *at >= text.len || text.ptr[*at] != ':') return none;
  *at = agent_json_skip_blanks(text, *at + 1);
  return agent_json_part(text, begin, end);
}

static inline size_t agent_json_skip(agent_json text, size_t at, int depth);

/* An array or an object, `depth` of which may be inside one another. */
static inline size_t agent_json_skip_list(agent_json text, size_t at, int depth) {
  bool has_keys = text.ptr[at] == '{';
  uint8_t end = has_keys ? '}' : ']';
  if (depth == 0) return 0;
  at = agent_json_skip_blanks(text, at + 1);
  if (at < text.len && text.ptr[at] == end) return at + 1;
  while (at < text.len) {
    if (has_keys && !agent_json_key(text, &at).ptr) return 0;
    at = agent_json_skip(text, at, depth - 1);
    if (at == 0) return 0;
    at = agent_json_skip_blanks(text, at);
    if (at < text.len && text.ptr[at] == end) return at + 1;
    if (at >= text.len || text.ptr[at] != ',') return 0;
    at = agent_json_skip_blanks(text, at + 1);
  }
  return 0;
}

static inline size_t agent_json_skip(agent_json text, size_t at, int depth) {
  if (at >= text.len) return 0;
  switch (text.ptr[at]) {
    case '{': case '[': return agent_json_skip_list(text, at, depth);
    case '"': return agent_json_skip_string(text, at);
    case 't': return agent_json_skip_word(text, at, "true");
    case 'f': return agent_json_skip_word(text, at, "false");
    case 'n': return agent_json_skip_word(text, at, "null");
    default: return agent_json_skip_number(text, at);
  }
}

static inline agent_json agent_json_parse(agent_bytes text) {
  agent_json none = AGENT_JSON_NONE;
  if (!text.ptr) return none;
  size_t begin = agent_json_skip_blanks(text, 0);
  size_t end = agent_json_skip(text, begin, AGENT_JSON_DEPTH);
  if (end == 0 || agent_json_skip_blanks(text, end) < text.len) return none;
  return agent_json_part(text, begin, end);
}

#endif
