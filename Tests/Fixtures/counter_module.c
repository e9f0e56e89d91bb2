/* A module that counts on: the datasource "counter" keeps its count in its state and publishes
 * {"type": "counted", "n": N} once N is safe, every `every_ms` or so. Compile as misbehaving_module.c;
 * with -DSTUBBORN it doesn't stop when it is asked to. */
#define _GNU_SOURCE
#include "agent_module.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct counter {
  const agent_host_v1 *host;
  const agent_service_v1 *state;
  agent_completion ended;
  pthread_t thread;
  atomic_int is_stopping;
} counter;

static agent_bytes text(const char *string) {
  return (agent_bytes){ (const uint8_t *)string, strlen(string) };
}

/* ------------------------------------------------------------------- asking, on an own thread */

typedef struct answer {
  sem_t done;
  agent_status status;
  char text[4096];
} answer;

static void answered(void *context, agent_status status, agent_bytes result) {
  answer *a = context;
  a->status = status;
  snprintf(a->text, sizeof a->text, "%.*s", (int)result.len, result.ptr ? (const char *)result.ptr : "");
  sem_post(&a->done);
}

/* Asks for the state and waits: never on the module thread. */
static agent_status ask(const counter *self, const char *method, const char *input, answer *a) {
  sem_init(&a->done, 0, 0);
  self->state->call(self->state->ctx, text(method), text(input), (agent_completion){ a, answered });
  while (sem_wait(&a->done)) {}
  sem_destroy(&a->done);
  return a->status;
}

/* The number that follows a key; good enough for what the host writes. */
static long number(const char *json, const char *key) {
  const char *found = strstr(json, key);
  return found ? atol(found + strlen(key)) : 0;
}

/* Counts on by one; what somebody has edited meanwhile isn't overwritten. */
static agent_status count(const counter *self, long *n) {
  answer a;
  char change[256];
  do {
    agent_status status = ask(self, "get", "{\"keys\":[\"count\"]}", &a);
    if (status != AGENT_OK) return status;
    *n = number(a.text, "\"value\":") + 1;
    snprintf(change, sizeof change, "{\"changes\":[{\"key\":\"count\",\"value\":%ld,\"expected\":%ld}]}",
             *n, number(a.text, "\"version\":"));
  } while (ask(self, "write", change, &a) == AGENT_CONFLICT);
  if (a.status != AGENT_OK) self->host->log(self->host->ctx, AGENT_ERROR, text(a.text));
  return a.status;
}

static void *work(void *context) {
  counter *self = context;
  const agent_events_v1 *events = self->host->get_extension(self->host->ctx, AGENT_EVENTS_V1);
  const struct timespec pause = { 0, 5000000 };
  char event[64];
  long n;
  while (!self->is_stopping) {
    if (count(self, &n) == AGENT_OK) {
      snprintf(event, sizeof event, "{\"type\":\"counted\",\"n\":%ld}", n);
      events->publish(events->ctx, text(event), (agent_completion){ 0 });
    }
    nanosleep(&pause, NULL);
  }
  return NULL;
}

/* --------------------------------------------------------------------------------- its life */

static agent_status create(void *type, const agent_host_v1 *host, agent_bytes settings,
                           agent_completion problem, void **made) {
  (void)type, (void)settings;
  counter *self = calloc(1, sizeof *self);
  self->host = host;
  self->state = host->get_extension(host->ctx, AGENT_STATE_V1);
  if (!self->state) {
    free(self);
    problem.call(problem.ctx, AGENT_UNSUPPORTED, text("This host keeps no state."));
    return AGENT_UNSUPPORTED;
  }
  *made = self;
  return AGENT_OK;
}

static agent_status start(void *context, agent_completion ended) {
  counter *self = context;
  self->ended = ended;
  return pthread_create(&self->thread, NULL, work, self) ? AGENT_FAILED : AGENT_OK;
}

static void stop(void *context, agent_completion done) {
  counter *self = context;
#ifdef STUBBORN
  (void)self, (void)done;
  return;
#endif
  if (!self->is_stopping) {
    self->is_stopping = 1;
    pthread_join(self->thread, NULL);
    self->ended.call(self->ended.ctx, AGENT_OK, text(""));
  }
  done.call(done.ctx, AGENT_OK, text(""));
}

static const agent_contribution_v1 contributions[] = {
  { sizeof(agent_contribution_v1), AGENT_DATASOURCE, "counter", NULL, create, start, stop, NULL, NULL,
    NULL, free },
};

static const agent_module_descriptor_v1 descriptor = {
  sizeof descriptor, AGENT_ABI, "counting", "1.0.0", 1, sizeof(agent_contribution_v1), contributions,
  NULL,
};

const agent_module_descriptor_v1 *agent_module_v1(void) { return &descriptor; }
