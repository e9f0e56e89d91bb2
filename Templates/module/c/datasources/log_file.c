/* log_file: publishes the lines of a log file as they are written, from a thread of its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../json.h"
#include "../module.h"
#include "follower.h"

typedef struct log_source {
  const agent_host_v1 *host;
  const agent_events_v1 *events;
  const agent_service_v1 *state;
  agent_bytes settings; /* a copy */
  char *path;
  long long pause_ms;
  follower follower;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool running, stopping;
  bool waiting; /* for the host to take an event, or to answer */
  char *answer; /* of the state, or NULL */
  int users;    /* the owner, and what the host has not taken or answered yet */
  agent_completion ended;
} log_source;

static void say(log_source *s, agent_level level, char *text) {
  if (text) s->host->log(s->host->ctx, level, bytes_of(text, strlen(text)));
  free(text);
}

/* Frees it with the last user: the host may take an event after it has destroyed the instance. */
static void release(log_source *s) {
  pthread_mutex_lock(&s->lock);
  bool is_used = --s->users > 0;
  s->waiting = false;
  pthread_cond_signal(&s->changed);
  pthread_mutex_unlock(&s->lock);
  if (is_used) return;
  pthread_cond_destroy(&s->changed);
  pthread_mutex_destroy(&s->lock);
  free(s->path);
  free(s->answer);
  free((void *)s->settings.ptr);
  free(s);
}

static void accepted(void *ctx, agent_status status, agent_bytes reason) {
  (void)status, (void)reason;
  release(ctx);
}

static bool is_error(log_source *s, const char *line) {
  json words = json_member(s->settings, "error_words");
  bool found = false;
  for (size_t index = 0; !found; index++) {
    json word = json_element(words, index);
    if (!word.ptr) return false;
    char *text = json_string(word, "error");
    found = text && strcasestr(line, text);
    free(text);
  }
  return found;
}

/* Publishes a line, and waits until the host has taken it: without credit it takes its time. */
static void publish(void *ctx, const char *line) {
  log_source *s = ctx;
  char *file = json_quoted(s->path), *text = json_quoted(line), *event = NULL;
  const char *level = is_error(s, line) ? "error" : "info";
  if (file && text) {
    event = format("{\"type\":\"log_line\",\"file\":%s,\"line\":%s,\"level\":\"%s\"}", file, text,
                   level);
  }
  agent_completion done = {s, accepted};
  pthread_mutex_lock(&s->lock);
  if (event && !s->stopping) {
    s->waiting = true;
    s->users++;
    pthread_mutex_unlock(&s->lock);
    agent_status status = s->events->publish(s->events->ctx, bytes_of(event, strlen(event)), done);
    if (status != AGENT_OK) release(s); /* it wasn't taken: nobody calls */
    pthread_mutex_lock(&s->lock);
    while (s->waiting && !s->stopping) pthread_cond_wait(&s->changed, &s->lock);
  }
  pthread_mutex_unlock(&s->lock);
  free(file), free(text), free(event);
}

static void answered(void *ctx, agent_status status, agent_bytes result) {
  log_source *s = ctx;
  if (status == AGENT_OK) s->answer = format("%.*s", (int)result.len, (const char *)result.ptr);
  release(s);
}

/* Asks the state of the process and waits for the answer, to be freed; NULL when there is none. */
static char *ask_state(log_source *s, const char *method, const char *input) {
  pthread_mutex_lock(&s->lock);
  s->waiting = true;
  s->users++;
  pthread_mutex_unlock(&s->lock);
  agent_completion done = {s, answered};
  s->state->call(s->state->ctx, bytes_of(method, strlen(method)), bytes_of(input, strlen(input)),
                 done);
  pthread_mutex_lock(&s->lock);
  while (s->waiting && !s->stopping) pthread_cond_wait(&s->changed, &s->lock);
  char *answer = s->waiting ? NULL : s->answer;
  if (answer) s->answer = NULL;
  pthread_mutex_unlock(&s->lock);
  return answer;
}

/* Goes on where the last worker was, unless it followed another file. */
static void load_position(log_source *s) {
  char *answer = ask_state(s, "get", "{\"keys\":[\"position\"]}");
  if (!answer) return;
  json entries = json_member(bytes_of(answer, strlen(answer)), "entries");
  json value = json_member(json_element(entries, 0), "value");
  char *path = json_string(json_member(value, "path"), "");
  char *file = json_string(json_member(value, "file"), "");
  if (path && file && strcmp(path, s->path) == 0) {
    strncpy(s->follower.position.file, file, sizeof s->follower.position.file - 1);
    s->follower.position.offset = json_integer(json_member(value, "offset"), 0);
  }
  free(path), free(file), free(answer);
}

/* Behind the lines that are in the log: after a restart none is missing, and none but those of a
 * batch that was under way comes twice. */
static void save_position(log_source *s, position *saved) {
  position now = s->follower.position;
  if (strcmp(now.file, saved->file) == 0 && now.offset == saved->offset) return;
  char *path = json_quoted(s->path), *change = NULL;
  if (path) {
    change = format(
        "{\"changes\":[{\"key\":\"position\",\"value\":"
        "{\"path\":%s,\"file\":\"%s\",\"offset\":%lld}}]}",
        path, now.file, now.offset);
  }
  if (change) free(ask_state(s, "write", change));
  *saved = now;
  free(path), free(change);
}

/* Waits for the pause or the end; false when it is the end. */
static bool pause_reading(log_source *s) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  long long nanoseconds = until.tv_nsec + s->pause_ms % 1000 * 1000000;
  until.tv_sec += (time_t)(s->pause_ms / 1000 + nanoseconds / 1000000000);
  until.tv_nsec = (long)(nanoseconds % 1000000000);
  pthread_mutex_lock(&s->lock);
  if (!s->stopping) pthread_cond_timedwait(&s->changed, &s->lock, &until);
  bool goes_on = !s->stopping;
  pthread_mutex_unlock(&s->lock);
  return goes_on;
}

static void *work(void *ctx) {
  log_source *s = ctx;
  bool missing = false, goes_on = true;
  load_position(s);
  position saved = s->follower.position;
  while (goes_on) {
    bool had_lines = follower_read(&s->follower, publish, s);
    if (s->follower.missing && !missing) {
      say(s, AGENT_WARNING, format("%s isn't there yet.", s->path));
    }
    missing = s->follower.missing;
    /* A file that has just given lines may have more. */
    pthread_mutex_lock(&s->lock);
    goes_on = !s->stopping;
    pthread_mutex_unlock(&s->lock);
    /* Once it is to stop, lines may have been read that were not published. */
    if (goes_on) save_position(s, &saved);
    if (goes_on && !had_lines) goes_on = pause_reading(s);
  }
  s->ended.call(s->ended.ctx, AGENT_OK, bytes_of(NULL, 0));
  return NULL;
}

static agent_status create(void *type_ctx, const agent_host_v1 *host, agent_bytes settings,
                           agent_completion problem, void **instance) {
  (void)type_ctx;
  log_source *s = calloc(1, sizeof *s);
  uint8_t *copy = malloc(settings.len + 1);
  if (!s || !copy) return free(s), free(copy), AGENT_FAILED;
  memcpy(copy, settings.ptr, settings.len);
  s->host = host;
  s->events = host->get_extension(host->ctx, AGENT_EVENTS_V1);
  s->state = host->get_extension(host->ctx, AGENT_STATE_V1);
  s->settings = (agent_bytes){copy, settings.len};
  s->path = json_string(json_member(s->settings, "path"), "");
  s->pause_ms = json_integer(json_member(s->settings, "pause_ms"), 500);
  char *from = json_string(json_member(s->settings, "from"), "end");
  if (!s->events || !s->state || !s->path || !from) {
    const char *text = "This host offers no events or no state, or there is no memory left.";
    problem.call(problem.ctx, AGENT_UNSUPPORTED, bytes_of(text, strlen(text)));
    free(from), free(s->path), free(copy), free(s);
    return AGENT_UNSUPPORTED;
  }
  s->users = 1;
  follower_init(&s->follower, s->path, strcmp(from, "start") != 0);
  free(from);
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->changed, NULL);
  *instance = s;
  return AGENT_OK;
}

static agent_status start(void *instance, agent_completion ended) {
  log_source *s = instance;
  s->ended = ended;
  s->running = pthread_create(&s->thread, NULL, work, s) == 0;
  return s->running ? AGENT_OK : AGENT_FAILED;
}

static void stop(void *instance, agent_completion done) {
  log_source *s = instance;
  pthread_mutex_lock(&s->lock);
  s->stopping = true;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  if (s->running) pthread_join(s->thread, NULL);
  s->running = false;
  done.call(done.ctx, AGENT_OK, bytes_of(NULL, 0));
}

static void destroy(void *instance) {
  log_source *s = instance;
  follower_close(&s->follower);
  release(s);
}

const agent_contribution_v1 log_file = {
    .size = sizeof(agent_contribution_v1),
    .kind = AGENT_DATASOURCE,
    .name = "log_file",
    .create = create,
    .start = start,
    .stop = stop,
    .destroy = destroy,
};
