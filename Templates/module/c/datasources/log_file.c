/* log_file: publishes the lines of a log file as they are written, from a thread of its own. */
#define _GNU_SOURCE
#include "agent_follower.h"
#include "agent_instance.h"

typedef struct log_source {
  agent_instance base;
  char *path;
  agent_follower follower;
  bool is_closed; /* the host takes nothing more */
} log_source;

static const char *log_file_init(void *self) {
  log_source *s = self;
  bool from_start = agent_json_equals(agent_setting(&s->base, "from"), "start");
  s->path = agent_json_new_text(agent_setting(&s->base, "path"));
  agent_follower_init(&s->follower, s->path, !from_start);
  if (!s->path) return "\"path\" is missing.";
  return s->base.events && s->base.state ? NULL : "This host offers no events or keeps no state.";
}

static bool has_error_word(agent_json words, const char *line) {
  agent_json word = AGENT_JSON_NONE;
  bool found = false;
  while (!found && agent_json_next(words, &word)) {
    char *text = agent_json_new_text(word);
    found = text && strcasestr(line, text);
    free(text);
  }
  return found;
}

static void publish_line(void *self, const char *line) {
  log_source *s = self;
  bool is_error = has_error_word(agent_setting(&s->base, "error_words"), line);
  agent_json_writer event = {0};
  agent_json_print(&event, "{'type':'log_line','file':%s,'line':%s,'level':%s}", s->path, line,
                   is_error ? "error" : "info");
  agent_status status = agent_publish_and_wait(s->base.events, agent_json_written(&event));
  if (status == AGENT_CLOSED) s->is_closed = true;
  agent_json_reset(&event);
}

static void report_missing(log_source *s) {
  char text[4200];
  snprintf(text, sizeof text, "%s isn't there yet.", s->path);
  agent_log(&s->base, AGENT_WARNING, text);
}

static void log_file_run(void *self) {
  log_source *s = self;
  int64_t pause = agent_json_int(agent_setting(&s->base, "pause_ms"), 500);
  bool was_missing = false, has_more = false;
  agent_follower_load(&s->follower, s->base.state);
  do {
    has_more = agent_follower_read(&s->follower, publish_line, s);
    if (s->follower.is_missing && !was_missing) report_missing(s);
    was_missing = s->follower.is_missing;
    /* Once the host takes nothing more, lines were read that are not in the log. */
    if (s->is_closed) return;
    agent_follower_save(&s->follower, s->base.state);
  } while (agent_work_sleep(&s->base.work, has_more ? 0 : pause));
}

static void log_file_deinit(void *self) {
  log_source *s = self;
  agent_follower_close(&s->follower);
  free(s->path);
}

static const agent_type log_file_type = {
    .size = sizeof(log_source),
    .init = log_file_init,
    .run = log_file_run,
    .deinit = log_file_deinit,
};
const agent_contribution_v1 log_file = AGENT_PROCESS(AGENT_DATASOURCE, "log_file", log_file_type);
