/* A module whose work shows in traces: the action "act" publishes {"type": "acted"} and writes "k" of
 * its state on behalf of its call, and answers with the trace that it got. Compile as misbehaving_module.c. */
#define _GNU_SOURCE
#include "agent_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct acting {
  agent_sink_v1 sink;
  char trace[64];
  char state[64];
} acting;

static agent_bytes text(const char *string) {
  return (agent_bytes){ (const uint8_t *)string, strlen(string) };
}

static agent_status create(void *type, const agent_host_v1 *host, agent_bytes settings,
                           agent_completion problem, void **made) {
  (void)type, (void)settings, (void)problem;
  *made = (void *)host;
  return AGENT_OK;
}

static void wrote(void *context, agent_status status, agent_bytes result) {
  acting *call = context;
  char answer[256];
  if (status != AGENT_OK) {
    call->sink.finish(call->sink.ctx, status, result);
  } else {
    snprintf(answer, sizeof answer, "{\"traceparent\":\"%s\",\"tracestate\":\"%s\"}", call->trace,
             call->state);
    call->sink.finish(call->sink.ctx, AGENT_OK, text(answer));
  }
  free(call);
}

static void act(void *instance, uint64_t id, agent_bytes input, int64_t deadline,
                const agent_sink_v1 *sink) {
  (void)id, (void)input, (void)deadline;
  const agent_host_v1 *host = instance;
  const agent_service_v1 *state = host->get_extension(host->ctx, AGENT_STATE_V1);
  const agent_events_v1 *events = host->get_extension(host->ctx, AGENT_EVENTS_V1);
  acting *call = calloc(1, sizeof *call);
  call->sink = *sink;
  snprintf(call->trace, sizeof call->trace, "%.*s", (int)sink->traceparent.len,
           sink->traceparent.ptr ? (const char *)sink->traceparent.ptr : "");
  snprintf(call->state, sizeof call->state, "%.*s", (int)sink->tracestate.len,
           sink->tracestate.ptr ? (const char *)sink->tracestate.ptr : "");
  char event[128];
  snprintf(event, sizeof event, "{\"type\":\"acted\",\"__traceparent\":\"%s\"}", call->trace);
  events->publish(events->ctx, text(event), (agent_completion){ 0 });
  state->call_traced(state->ctx, text("write"), text("{\"changes\":[{\"key\":\"k\",\"value\":1}]}"),
                     sink->traceparent, (agent_completion){ call, wrote });
}

static void destroy(void *instance) { (void)instance; }

static const agent_contribution_v1 contributions[] = {
  { sizeof(agent_contribution_v1), AGENT_ACTION, "act", NULL, create, NULL, NULL, act, NULL, NULL, destroy },
};

static const agent_module_descriptor_v1 descriptor = {
  sizeof descriptor, AGENT_ABI, "traced", "1.0.0", 1, sizeof(agent_contribution_v1), contributions, NULL,
};

const agent_module_descriptor_v1 *agent_module_v1(void) { return &descriptor; }
