/* A module that behaves: publishes ticks, answers, computes. Compile as misbehaving_module.c; with
 *   -DGENERATION=2  what it publishes and answers says so, to tell one build from another
 *   -DNAME=\"x\", -DVERSION=\"1.1.0\", -DDATASOURCE=\"y\"  goes by these
 *   -DSLOW_STOP_MS=400  the milliseconds that a stop takes
 *   -DUNREADY       refuses every settings, as a new build may that doesn't work any more
 *
 * The datasource "ticks" publishes {"type": "tick", "label": L, "generation": N} every `every_ms`;
 * the adapter "teller" answers what has "tick" in it; the action "echo" returns its input. With
 * -DTROUBLE there are two more actions: "never" doesn't answer, "die" crashes the worker. */
#define _GNU_SOURCE
#include "agent_module.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef GENERATION
#define GENERATION 1
#endif

#ifndef NAME
#define NAME "ticker"
#endif
#ifndef VERSION
#define VERSION "1.0.0"
#endif
#ifndef DATASOURCE
#define DATASOURCE "ticks"
#endif

typedef struct instance {
  const agent_host_v1 *host;
  char label[32];
  int every_ms;
  agent_completion ended;
  pthread_t thread;
  volatile int is_stopping;
} instance;

static agent_bytes text(const char *string) {
  return (agent_bytes){ (const uint8_t *)string, strlen(string) };
}

/* What follows a key; good enough for what the tests write. */
static const char *after(const char *json, const char *key) {
  const char *found = strstr(json, key);
  return found ? found + strlen(key) : NULL;
}

static agent_status create(void *type, const agent_host_v1 *host, agent_bytes settings,
                           agent_completion problem, void **made) {
  (void)type;
  host->log(host->ctx, AGENT_INFO, text("created"));
#ifdef UNREADY
  problem.call(problem.ctx, AGENT_FAILED, text("This build doesn't work."));
  return AGENT_FAILED;
#endif
  char copy[1024];
  snprintf(copy, sizeof copy, "%.*s", (int)settings.len, settings.ptr ? (const char *)settings.ptr : "");
  instance *self = calloc(1, sizeof *self);
  self->host = host;
  const char *label = after(copy, "\"label\":\""), *every = after(copy, "\"every_ms\":");
  if (label) snprintf(self->label, sizeof self->label, "%.*s", (int)strcspn(label, "\""), label);
  self->every_ms = every ? atoi(every) : 20;
  (void)problem;
  *made = self;
  return AGENT_OK;
}

static void *tick(void *context) {
  instance *self = context;
  const agent_events_v1 *events = self->host->get_extension(self->host->ctx, AGENT_EVENTS_V1);
  struct timespec pause = { self->every_ms / 1000, self->every_ms % 1000 * 1000000L };
  char event[128];
  snprintf(event, sizeof event, "{\"type\":\"tick\",\"label\":\"%s\",\"generation\":%d}", self->label,
           GENERATION);
  while (!self->is_stopping) {
    events->publish(events->ctx, text(event), (agent_completion){ 0 });
    nanosleep(&pause, NULL);
  }
  return NULL;
}

static agent_status start(void *context, agent_completion ended) {
  instance *self = context;
  self->ended = ended;
  return pthread_create(&self->thread, NULL, tick, self) ? AGENT_FAILED : AGENT_OK;
}

static void stop(void *context, agent_completion done) {
  instance *self = context;
#ifdef SLOW_STOP_MS
  usleep(SLOW_STOP_MS * 1000);
#endif
  if (!self->is_stopping) {
    self->is_stopping = 1;
    pthread_join(self->thread, NULL);
    self->ended.call(self->ended.ctx, AGENT_OK, text(""));
  }
  done.call(done.ctx, AGENT_OK, text(""));
}

static void destroy(void *context) { free(context); }

#ifdef SLOW_STOP_MS
static void stop_answering(void *context, agent_completion done) {
  (void)context;
  usleep(SLOW_STOP_MS * 1000);
  done.call(done.ctx, AGENT_OK, text(""));
}

static agent_status start_answering(void *context, agent_completion ended) {
  (void)context, (void)ended;
  return AGENT_OK;
}
#define START_ANSWERING start_answering
#define STOP_ANSWERING stop_answering
#else
#define START_ANSWERING NULL
#define STOP_ANSWERING NULL
#endif

static void tell(void *context, uint64_t call, agent_bytes input, int64_t deadline,
                 const agent_sink_v1 *sink) {
  (void)context, (void)call, (void)deadline;
  char answer[128];
  int asked = input.ptr && memmem(input.ptr, input.len, "tick", 4);
  snprintf(answer, sizeof answer, "{\"confidence\":%s,\"text\":\"generation %d ticks\"}",
           asked ? "0.9" : "0", GENERATION);
  sink->finish(sink->ctx, AGENT_OK, text(answer));
}

static void echo(void *context, uint64_t call, agent_bytes input, int64_t deadline,
                 const agent_sink_v1 *sink) {
  (void)context, (void)call, (void)deadline;
  if (AGENT_HAS(sink, agent_sink_v1, log)) sink->log(sink->ctx, AGENT_NOTICE, text("echoing"));
  sink->finish(sink->ctx, AGENT_OK, input);
}

#ifdef TROUBLE
static void never(void *context, uint64_t call, agent_bytes input, int64_t deadline,
                  const agent_sink_v1 *sink) {
  (void)context, (void)call, (void)input, (void)deadline, (void)sink;
}

static void die(void *context, uint64_t call, agent_bytes input, int64_t deadline,
                const agent_sink_v1 *sink) {
  (void)context, (void)call, (void)input, (void)deadline, (void)sink;
  abort();
}
#endif

#define ANSWERS(kind, name, invoke) \
  { sizeof(agent_contribution_v1), kind, name, NULL, create, START_ANSWERING, STOP_ANSWERING, \
    invoke, NULL, NULL, destroy }

static const agent_contribution_v1 contributions[] = {
  { sizeof(agent_contribution_v1), AGENT_DATASOURCE, DATASOURCE, NULL, create, start, stop, NULL, NULL,
    NULL, destroy },
  ANSWERS(AGENT_LOGIC_ADAPTER, "teller", tell),
  ANSWERS(AGENT_ACTION, "echo", echo),
#ifdef TROUBLE
  ANSWERS(AGENT_ACTION, "never", never),
  ANSWERS(AGENT_ACTION, "die", die),
#endif
};

static const agent_module_descriptor_v1 descriptor = {
  sizeof descriptor, AGENT_ABI, NAME, VERSION, sizeof contributions / sizeof *contributions,
  sizeof(agent_contribution_v1), contributions, NULL,
};

const agent_module_descriptor_v1 *agent_module_v1(void) { return &descriptor; }
