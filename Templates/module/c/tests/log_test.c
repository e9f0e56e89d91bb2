/* From the module's folder:
 *   cc -I {{sdk}}/Sources/CAgentModule/include -o /tmp/log_test tests/log_test.c json.c \
 *     datasources/follower.c monitors/rate.c monitors/said.c \
 *     logic_adapters/question.c && /tmp/log_test
 */
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../datasources/follower.h"
#include "../json.h"
#include "../logic_adapters/question.h"
#include "../monitors/rate.h"

static char lines[256];

static void keep(void *ctx, const char *line) {
  (void)ctx;
  strcat(strcat(lines, line), ";");
}

static const char *read_lines(follower *f) {
  lines[0] = 0;
  follower_read(f, keep, NULL);
  return lines;
}

static void write_file(const char *path, const char *mode, const char *text) {
  FILE *file = fopen(path, mode);
  assert(file);
  fputs(text, file);
  fclose(file);
}

static void a_file_is_followed_when_it_grows_is_cut_short_and_is_replaced(void) {
  static follower f;
  char path[64], old[64];
  snprintf(path, sizeof path, "/tmp/log-test-%d", getpid());
  snprintf(old, sizeof old, "/tmp/log-test-%d.1", getpid());
  follower_init(&f, path, true);
  assert(!strcmp(read_lines(&f), "") && f.missing);
  write_file(path, "w", "first\nsec");
  assert(!strcmp(read_lines(&f), "first;"));
  write_file(path, "a", "ond\n");
  assert(!strcmp(read_lines(&f), "second;"));
  write_file(path, "w", "3\n");
  assert(!strcmp(read_lines(&f), "3;"));
  rename(path, old);
  write_file(old, "a", "late\n");
  write_file(path, "w", "fourth\n");
  assert(!strcmp(read_lines(&f), "late;"));
  assert(!strcmp(read_lines(&f), ""));
  assert(!strcmp(read_lines(&f), "fourth;"));
  follower_close(&f);
  unlink(path), unlink(old);
}

static void it_goes_on_where_it_was_also_in_a_file_that_was_replaced(void) {
  static follower f;
  position kept;
  char path[64], old[64];
  snprintf(path, sizeof path, "/tmp/log-test-%d", getpid());
  snprintf(old, sizeof old, "/tmp/log-test-%d.1", getpid());
  write_file(path, "w", "first\nsecond\nhal");
  follower_init(&f, path, false);
  assert(!strcmp(read_lines(&f), "first;second;"));
  kept = f.position;
  follower_close(&f);
  write_file(path, "a", "f\n");
  follower_init(&f, path, false);
  f.position = kept;
  assert(!strcmp(read_lines(&f), "half;"));
  assert(!strcmp(read_lines(&f), ""));
  kept = f.position;
  follower_close(&f);
  rename(path, old);
  write_file(path, "w", "new\n");
  follower_init(&f, path, true);
  f.position = kept;
  assert(!strcmp(read_lines(&f), "new;"));
  follower_close(&f);
  unlink(path), unlink(old);
}

static void errors_that_come_too_fast_raise_one_alert(void) {
  static rate r = {.limit = 3, .window = 60000, .cooldown = 60000};
  int64_t times[] = {0, 50000, 70000, 80000, 90000};
  int alerts = 0;
  for (size_t at = 0; at < sizeof times / sizeof *times; at++) alerts += rate_add(&r, times[at]);
  assert(alerts == 1);
}

static void questions_are_told_from_other_talk(void) {
  question q;
  char period[32];
  assert(question_read(&q, "How many errors in the last 5 minutes?"));
  assert(q.seconds == 300 && q.confidence > 0.9);
  question_period(&q, period, sizeof period);
  assert(!strcmp(period, "5 minutes"));
  assert(question_read(&q, "any errors in the last hour?") && q.seconds == 3600);
  assert(!question_read(&q, "how are you?"));
}

static void json_is_read_and_written(void) {
  const char *text = "{\"a\": [1, {\"b\": \"x\\n\\u00e4\\ud83d\\ude00\"}], \"c\": true}";
  json value = bytes_of(text, strlen(text));
  char *b = json_string(json_member(json_element(json_member(value, "a"), 1), "b"), "");
  assert(!strcmp(b, "x\nä😀"));
  char *quoted = json_quoted("say \"hi\"\n");
  assert(!strcmp(quoted, "\"say \\\"hi\\\"\\u000a\""));
  assert(json_is_true(json_member(value, "c")) && !json_member(value, "d").ptr);
  free(b), free(quoted);
}

int main(void) {
  a_file_is_followed_when_it_grows_is_cut_short_and_is_replaced();
  it_goes_on_where_it_was_also_in_a_file_that_was_replaced();
  errors_that_come_too_fast_raise_one_alert();
  questions_are_told_from_other_talk();
  json_is_read_and_written();
  puts("all passed");
  return 0;
}
