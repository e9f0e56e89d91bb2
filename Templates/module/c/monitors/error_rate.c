/* error_rate: publishes an alert when errors come too fast. */
#include "agent_alert.h"
#include "agent_instance.h"
#include "agent_rate.h"

typedef struct error_monitor {
  agent_instance base;
  agent_rate rate;
} error_monitor;

static const char *error_rate_init(void *self) {
  error_monitor *m = self;
  int64_t count = agent_json_int(agent_setting(&m->base, "count"), 10);
  int64_t window = agent_json_int(agent_setting(&m->base, "window_seconds"), 60);
  int64_t cooldown = agent_json_int(agent_setting(&m->base, "cooldown_seconds"), 60);
  agent_rate_init(&m->rate, count, window * 1000, cooldown * 1000);
  return NULL;
}

static void publish_alert(error_monitor *m, agent_json last, int64_t now) {
  char line[16 * 1024], text[sizeof line + 100];
  const agent_events_v1 *events = m->base.events;
  agent_json_writer fields = {0}, alert_events = {0};
  agent_completion nobody = {NULL, NULL};
  agent_json_copy_text(last, line, sizeof line);
  snprintf(text, sizeof text, "%d errors within %lld seconds. The last: %s", m->rate.limit,
           (long long)m->rate.window / 1000, line);
  agent_json_print(&fields, "{'count':%d,'line':%s}", m->rate.limit, line);
  agent_alert alert = {.text = text, .fields = agent_json_written(&fields)};
  agent_alert_print(&alert_events, &alert, agent_setting(&m->base, "output"), now);
  agent_log(&m->base, AGENT_WARNING, text);
  /* Without waiting: this is the module thread. An alert that finds no room is in the log. */
  events->publish(events->ctx, agent_json_written(&alert_events), nobody);
  agent_json_reset(&fields);
  agent_json_reset(&alert_events);
}

static void error_arrived(void *self, agent_json event) {
  error_monitor *m = self;
  int64_t now = m->base.host->now(m->base.host->ctx);
  int64_t time = agent_json_int(agent_json_get(event, "timestamp"), now);
  if (agent_rate_add(&m->rate, time)) publish_alert(m, agent_json_get(event, "line"), now);
}

static const agent_type error_rate_type = {
    .size = sizeof(error_monitor),
    .init = error_rate_init,
    .event = error_arrived,
};
const agent_contribution_v1 error_rate =
    AGENT_PROCESS(AGENT_MONITOR, "error_rate", error_rate_type);
