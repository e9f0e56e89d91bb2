/* error_count: answers "how many errors in the last 5 minutes?". */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../json.h"
#include "../module.h"
#include "question.h"

typedef struct error_adapter {
  const agent_host_v1 *host;
  const agent_events_v1 *events;
  char *query; /* quoted */
  pthread_mutex_t lock;
  int under_way;
  bool stopping;
  agent_completion stopped;
} error_adapter;

/* One call, from its question to its answer. */
typedef struct call {
  error_adapter *adapter;
  agent_sink_v1 sink;
  question question;
} call;

static void end(error_adapter *a) {
  pthread_mutex_lock(&a->lock);
  bool last = --a->under_way == 0 && a->stopping;
  pthread_mutex_unlock(&a->lock);
  if (last) a->stopped.call(a->stopped.ctx, AGENT_OK, bytes_of(NULL, 0));
}

static void finish(const agent_sink_v1 *sink, agent_status status, const char *text) {
  sink->finish(sink->ctx, status, bytes_of(text, strlen(text)));
}

static char *answer_text(const call *c, json found) {
  json events = json_member(found, "events"), last = {NULL, 0}, event;
  size_t count = 0;
  for (; (event = json_element(events, count)).ptr; count++) last = event;
  char period[32];
  question_period(&c->question, period, sizeof period);
  char *line = json_string(json_member(last, "line"), "");
  const char *more = json_is_true(json_member(found, "truncated")) ? "More than " : "";
  char *text = format("%s%zu %s in the last %s.%s%s", more, count, count == 1 ? "error" : "errors",
                      period, line && *line ? " The latest: " : "", line ? line : "");
  char *quoted = text ? json_quoted(text) : NULL;
  char *answer = quoted ? format("{\"text\":%s,\"confidence\":%.2f,\"data\":{\"count\":%zu}}", quoted,
                                 c->question.confidence, count)
                        : NULL;
  free(line), free(text), free(quoted);
  return answer;
}

static void found(void *ctx, agent_status status, agent_bytes result) {
  call *c = ctx;
  char *answer = status == AGENT_OK ? answer_text(c, result) : NULL;
  if (answer) {
    finish(&c->sink, AGENT_OK, answer);
  } else {
    c->sink.finish(c->sink.ctx, status == AGENT_OK ? AGENT_FAILED : status, result);
  }
  end(c->adapter);
  free(answer), free(c);
}

static void invoke(void *instance, uint64_t id, agent_bytes input, int64_t deadline,
                   const agent_sink_v1 *sink) {
  error_adapter *a = instance;
  call *c = calloc(1, sizeof *c);
  char *text = json_string(json_member(input, "text"), ""), *request = NULL;
  (void)id, (void)deadline;
  if (!c || !text) {
    finish(sink, AGENT_FAILED, "There is no memory left.");
  } else if (!json_member(input, "text").ptr) {
    finish(sink, AGENT_INVALID_ARGUMENT, "A statement needs a \"text\".");
  } else if (!question_read(&c->question, text)) {
    finish(sink, AGENT_OK, "{\"confidence\":0}");
  } else {
    request = format("{\"query\":%s,\"window_ms\":%lld,\"limit\":1000}", a->query,
                     c->question.seconds * 1000);
    c->adapter = a;
    c->sink = *sink;
  }
  free(text);
  if (!request) return free(c);
  pthread_mutex_lock(&a->lock);
  a->under_way++;
  pthread_mutex_unlock(&a->lock);
  agent_completion done = {c, found};
  a->events->query(a->events->ctx, bytes_of(request, strlen(request)), done);
  free(request);
}

static agent_status create(void *type_ctx, const agent_host_v1 *host, agent_bytes settings,
                           agent_completion problem, void **instance) {
  (void)type_ctx;
  error_adapter *a = calloc(1, sizeof *a);
  char *query = json_string(json_member(settings, "query"), "type:log_line level:error");
  if (a && query) a->query = json_quoted(query);
  free(query);
  if (a) a->events = host->get_extension(host->ctx, AGENT_EVENTS_V1);
  if (!a || !a->query || !a->events) {
    const char *text = "This host offers no events, or there is no memory left.";
    problem.call(problem.ctx, AGENT_UNSUPPORTED, bytes_of(text, strlen(text)));
    if (a) free(a->query);
    return free(a), AGENT_UNSUPPORTED;
  }
  a->host = host;
  pthread_mutex_init(&a->lock, NULL);
  *instance = a;
  return AGENT_OK;
}

static void stop(void *instance, agent_completion done) {
  error_adapter *a = instance;
  pthread_mutex_lock(&a->lock);
  bool idle = a->under_way == 0 || a->stopping;
  if (!idle) a->stopped = done;
  a->stopping = true;
  pthread_mutex_unlock(&a->lock);
  if (idle) done.call(done.ctx, AGENT_OK, bytes_of(NULL, 0));
}

static void destroy(void *instance) {
  error_adapter *a = instance;
  pthread_mutex_destroy(&a->lock);
  free(a->query);
  free(a);
}

const agent_contribution_v1 error_count = {
    .size = sizeof(agent_contribution_v1),
    .kind = AGENT_LOGIC_ADAPTER,
    .name = "error_count",
    .create = create,
    .stop = stop,
    .invoke = invoke,
    .destroy = destroy,
};
