/* error_rate: publishes an alert when errors come too fast. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../json.h"
#include "../module.h"
#include "rate.h"
#include "said.h"

typedef struct error_monitor {
  const agent_host_v1 *host;
  const agent_events_v1 *events;
  agent_bytes settings; /* a copy */
  rate rate;
  long long window_seconds;
  agent_subscriber_v1 subscriber;
  uint64_t subscription;
  bool subscribed, stopping;
  agent_completion ended, stopped;
} error_monitor;

static void alert(error_monitor *m, const char *line) {
  char *text = format("%d errors within %lld seconds. The last: %s", m->rate.limit,
                      m->window_seconds, line);
  char *last = json_quoted(line);
  char *fields = last ? format("\"count\":%d,\"line\":%s", m->rate.limit, last) : NULL;
  json output = json_member(m->settings, "output");
  long long now = m->host->now(m->host->ctx);
  char *events = text && fields ? said_alert(output, text, fields, now) : NULL;
  if (events) {
    /* Without waiting: this is the module thread. An alert that finds no room is in the log. */
    agent_completion nobody = {NULL, NULL};
    m->host->log(m->host->ctx, AGENT_WARNING, bytes_of(text, strlen(text)));
    m->events->publish(m->events->ctx, bytes_of(events, strlen(events)), nobody);
  }
  free(text), free(last), free(fields), free(events);
}

static void arrived(void *ctx, uint64_t subscription, agent_bytes batch, uint64_t dropped) {
  error_monitor *m = ctx;
  uint32_t count = 0;
  (void)dropped;
  for (json event; (event = json_element(batch, count)).ptr; count++) {
    int64_t now = m->host->now(m->host->ctx);
    if (rate_add(&m->rate, json_integer(json_member(event, "timestamp"), now))) {
      char *line = json_string(json_member(event, "line"), "");
      if (line) alert(m, line);
      free(line);
    }
  }
  m->events->acknowledge(m->events->ctx, subscription, count);
}

static void closed(void *ctx, uint64_t subscription, agent_status status, agent_bytes message) {
  error_monitor *m = ctx;
  (void)subscription;
  m->subscribed = false;
  m->ended.call(m->ended.ctx, status, message);
  if (m->stopping) m->stopped.call(m->stopped.ctx, AGENT_OK, bytes_of(NULL, 0));
}

static agent_status create(void *type_ctx, const agent_host_v1 *host, agent_bytes settings,
                           agent_completion problem, void **instance) {
  (void)type_ctx;
  const agent_events_v1 *events = host->get_extension(host->ctx, AGENT_EVENTS_V1);
  error_monitor *m = calloc(1, sizeof *m);
  uint8_t *copy = malloc(settings.len + 1);
  if (!events || !m || !copy) {
    const char *text = "This host offers no events, or there is no memory left.";
    problem.call(problem.ctx, AGENT_UNSUPPORTED, bytes_of(text, strlen(text)));
    return free(m), free(copy), AGENT_UNSUPPORTED;
  }
  memcpy(copy, settings.ptr, settings.len);
  m->host = host;
  m->events = events;
  m->settings = (agent_bytes){copy, settings.len};
  long long count = json_integer(json_member(m->settings, "count"), 10);
  m->rate.limit = count < 1 ? 1 : count > RATE_MOST ? RATE_MOST : (int)count;
  m->window_seconds = json_integer(json_member(m->settings, "window_seconds"), 60);
  m->rate.window = m->window_seconds * 1000;
  m->rate.cooldown = json_integer(json_member(m->settings, "cooldown_seconds"), 60) * 1000;
  m->subscriber = (agent_subscriber_v1){sizeof m->subscriber, m, arrived, closed};
  *instance = m;
  return AGENT_OK;
}

static agent_status start(void *instance, agent_completion ended) {
  error_monitor *m = instance;
  char *query = json_string(json_member(m->settings, "query"), "type:log_line level:error");
  char *quoted = query ? json_quoted(query) : NULL;
  char *request = quoted ? format("{\"query\":%s}", quoted) : NULL;
  agent_status status = AGENT_FAILED;
  m->ended = ended;
  if (request) {
    m->subscribed = true;
    status = m->events->subscribe(m->events->ctx, bytes_of(request, strlen(request)),
                                  &m->subscriber, &m->subscription);
    if (status != AGENT_OK) m->subscribed = false;
  }
  free(query), free(quoted), free(request);
  return status;
}

static void stop(void *instance, agent_completion done) {
  error_monitor *m = instance;
  if (!m->subscribed || m->stopping) return done.call(done.ctx, AGENT_OK, bytes_of(NULL, 0));
  m->stopping = true;
  m->stopped = done;
  m->events->unsubscribe(m->events->ctx, m->subscription);
}

static void destroy(void *instance) {
  error_monitor *m = instance;
  free((void *)m->settings.ptr);
  free(m);
}

const agent_contribution_v1 error_rate = {
    .size = sizeof(agent_contribution_v1),
    .kind = AGENT_MONITOR,
    .name = "error_rate",
    .create = create,
    .start = start,
    .stop = stop,
    .destroy = destroy,
};
