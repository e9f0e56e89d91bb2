/* What agent_follower.h promises. Tools/prove-c.sh compiles and runs it. */
#undef NDEBUG
#include "agent_follower.h"

#include <assert.h>

static char path[64], old[64], lines[64 * 1024];
static agent_follower follower;

static void keep(void *ctx, const char *line) {
  (void)ctx;
  strcat(strcat(lines, line), ";");
}

static bool reads(const char *expected) {
  lines[0] = 0;
  bool has_read = agent_follower_read(&follower, keep, NULL);
  assert(has_read || !*lines);
  return !strcmp(lines, expected);
}

static void write_bytes(const char *name, const char *mode, const void *bytes, size_t length) {
  FILE *file = fopen(name, mode);
  assert(file && fwrite(bytes, 1, length, file) == length);
  fclose(file);
}

static void write_file(const char *name, const char *mode, const char *text) {
  write_bytes(name, mode, text, strlen(text));
}

static void end(void) {
  agent_follower_close(&follower);
  unlink(path), unlink(old);
}

static void a_file_is_followed_when_it_grows_is_cut_short_and_is_replaced(void) {
  agent_follower_init(&follower, path, true);
  assert(reads("") && follower.is_missing);
  write_file(path, "w", "first\nsec");
  assert(reads("first;") && !follower.is_missing);
  write_file(path, "a", "ond\n");
  assert(reads("second;"));
  write_file(path, "w", "3\n");
  assert(reads("3;"));
  assert(rename(path, old) == 0);
  write_file(old, "a", "late\n");
  write_file(path, "w", "fourth\n");
  assert(reads("late;") && reads("") && reads("fourth;"));
  end();
}

static void it_begins_at_the_start_or_the_end_of_a_file_that_is_there(void) {
  write_file(path, "w", "old\n");
  agent_follower_init(&follower, path, true);
  assert(reads(""));
  write_file(path, "a", "new\n");
  assert(reads("new;"));
  agent_follower_close(&follower);
  agent_follower_init(&follower, path, false);
  assert(reads("old;new;"));
  end();
}

static void it_goes_on_behind_a_position_and_begins_anew_in_another_file(void) {
  agent_position kept;
  write_file(path, "w", "first\nsecond\nhal");
  agent_follower_init(&follower, path, false);
  assert(reads("first;second;") && follower.position.offset == 13);
  kept = follower.position;
  agent_follower_close(&follower);
  write_file(path, "a", "f\n");
  agent_follower_init(&follower, path, false);
  follower.position = kept;
  assert(reads("half;") && reads(""));
  kept = follower.position;
  agent_follower_close(&follower);
  assert(rename(path, old) == 0);
  write_file(path, "w", "new\n");
  agent_follower_init(&follower, path, true);
  follower.position = kept;
  assert(reads("new;"));
  /* An edited file is no place to go on. */
  agent_follower_close(&follower);
  follower.position.offset = -5;
  assert(reads("new;"));
  end();
}

static void long_lines_are_cut_and_the_next_one_is_whole(void) {
  static char bytes[AGENT_FOLLOWER_LINE + 100];
  memset(bytes, 'x', sizeof bytes);
  memcpy(bytes + sizeof bytes - 6, "\na\0b\r\n", 6);
  write_bytes(path, "w", bytes, sizeof bytes);
  agent_follower_init(&follower, path, false);
  agent_follower_read(&follower, keep, NULL);
  assert(strlen(lines) == AGENT_FOLLOWER_LINE + 4 && !strcmp(lines + AGENT_FOLLOWER_LINE, ";ab;"));
  end();
}

/* A state that keeps what is written, and answers at once. */
static char written[512];

static void state_call(void *ctx, agent_bytes method, agent_bytes input, agent_completion done) {
  char answer[600];
  (void)ctx;
  if (method.len == 5) snprintf(written, sizeof written, "%.*s", (int)input.len, (const char *)input.ptr);
  agent_json change = AGENT_JSON_NONE;
  agent_json_next(agent_json_get(agent_text(written), "changes"), &change);
  snprintf(answer, sizeof answer, "{\"entries\":[%.*s]}", (int)change.len, (const char *)change.ptr);
  done.call(done.ctx, AGENT_OK, agent_text(answer));
}

static void a_position_is_kept_in_the_state(void) {
  static const agent_service_v1 state = {.size = sizeof state, .call = state_call};
  write_file(path, "w", "first\n");
  agent_follower_init(&follower, path, false);
  agent_follower_load(&follower, &state);
  assert(reads("first;") && agent_follower_save(&follower, &state) == AGENT_OK);
  agent_follower_close(&follower);
  write_file(path, "a", "second\n");
  agent_follower_init(&follower, path, false);
  agent_follower_load(&follower, &state);
  assert(reads("second;"));
  agent_follower_close(&follower);
  /* It counts for its own path only. */
  assert(rename(path, old) == 0);
  agent_follower_init(&follower, old, false);
  agent_follower_load(&follower, &state);
  assert(reads("first;second;"));
  written[0] = 0;
  assert(agent_follower_save(&follower, &state) == AGENT_OK && *written);
  written[0] = 0;
  assert(agent_follower_save(&follower, &state) == AGENT_OK && !*written);
  end();
}

int main(void) {
  snprintf(path, sizeof path, "/tmp/follower-test-%d", (int)getpid());
  snprintf(old, sizeof old, "/tmp/follower-test-%d.1", (int)getpid());
  a_file_is_followed_when_it_grows_is_cut_short_and_is_replaced();
  it_begins_at_the_start_or_the_end_of_a_file_that_is_there();
  it_goes_on_behind_a_position_and_begins_anew_in_another_file();
  lines[0] = 0;
  long_lines_are_cut_and_the_next_one_is_whole();
  a_position_is_kept_in_the_state();
  return 0;
}
