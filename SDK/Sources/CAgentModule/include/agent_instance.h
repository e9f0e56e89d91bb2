/* agent_instance.h: a contribution as a struct and the functions that are its own. The rest of its
 * life is the same for all, and is here.
 *
 *     typedef struct source { agent_instance base; char *path; } source;
 *     static const char *init(void *self) { ... }
 *     static void run(void *self) { ... }
 *     static void deinit(void *self) { free(((source *)self)->path); }
 *     static const agent_type type = {
 *         .size = sizeof(source), .init = init, .run = run, .deinit = deinit};
 *     const agent_contribution_v1 log_file = AGENT_PROCESS(AGENT_DATASOURCE, "log_file", type);
 *
 * A process has one of two: `run`, which works on a thread of its own, or `event`, which gets the
 * events that the query in its settings finds. A contribution that only answers calls is an
 * AGENT_ADAPTER, with an `invoke` of its own. If you need more of the interface, leave this header
 * out and fill in an agent_contribution_v1: agent_module.h. The header is complete; there is no
 * library to link.
 */
#ifndef AGENT_INSTANCE_H
#define AGENT_INSTANCE_H

#include "agent_work.h"

/* The first member of an instance's struct. */
typedef struct agent_instance {
  const agent_host_v1 *host;
  const agent_events_v1 *events; /* NULL where the host offers none */
  const agent_service_v1 *state; /* NULL where the host keeps none */
  agent_json settings;           /* a copy */
  agent_work work;               /* the thread, the subscription, the calls that are under way */
  const struct agent_type *type;
  agent_subscriber_v1 subscriber;
  uint64_t subscription;
  agent_completion ended;
} agent_instance;

/* What a contribution does. All but `size` may be NULL. */
typedef struct agent_type {
  size_t size; /* of its struct, which begins with an agent_instance */
  /* Reads the settings; everything behind `base` is zero. Returns NULL, or a sentence that says why
   * it can't work. Acquires nothing exclusive. [module-thread] */
  const char *(*init)(void *self);
  /* The work, once: returns soon after agent_work_sleep was false. It may wait for the host.
   * [a thread of its own] */
  void (*run)(void *self);
  /* An event that matches the `query` of the settings. Returns soon. [module-thread] */
  void (*event)(void *self, agent_json event);
  /* Frees what it has, also after an `init` that gave a reason. [module-thread] */
  void (*deinit)(void *self);
} agent_type;

/* A contribution with work of its own, and one that answers calls. Initializers of a constant. */
#define AGENT_PROCESS(kind, name, type) \
  {sizeof(agent_contribution_v1), kind, name, (void *)&(type), agent_instance_create, \
   agent_instance_start, agent_instance_stop, NULL, NULL, NULL, agent_instance_destroy}
#define AGENT_ADAPTER(kind, name, type, invoke) \
  {sizeof(agent_contribution_v1), kind, name, (void *)&(type), agent_instance_create, NULL, \
   agent_instance_stop, invoke, NULL, NULL, agent_instance_destroy}

/* A setting; none where there is no such. [any-thread] */
static inline agent_json agent_setting(const agent_instance *self, const char *key) {
  return agent_json_get(self->settings, key);
}

/* Writes a log record. [any-thread] */
static inline void agent_log(const agent_instance *self, agent_level level, const char *text) {
  self->host->log(self->host->ctx, level, agent_text(text));
}

/* ---------------------------------------------------------- what the host calls by the macros */

static inline void agent_instance_arrived(void *ctx, uint64_t subscription, agent_bytes batch,
                                          uint64_t dropped) {
  agent_instance *self = (agent_instance *)ctx;
  agent_json event = AGENT_JSON_NONE;
  uint32_t count = 0;
  for (; agent_json_next(batch, &event); count++) self->type->event(self, event);
  self->events->acknowledge(self->events->ctx, subscription, count);
  if (dropped > 0) agent_log(self, AGENT_WARNING, "Events were lost: there were too many at once.");
}

static inline void agent_instance_closed(void *ctx, uint64_t subscription, agent_status status,
                                         agent_bytes message) {
  agent_instance *self = (agent_instance *)ctx;
  (void)subscription;
  self->ended.call(self->ended.ctx, status, message);
  agent_work_end(&self->work);
}

static inline void agent_instance_destroy(void *instance) {
  agent_instance *self = (agent_instance *)instance;
  if (self->type->deinit) self->type->deinit(self);
  agent_work_destroy(&self->work);
  agent_json_free(self->settings);
  free(self);
}

static inline agent_status agent_instance_create(void *type_ctx, const agent_host_v1 *host,
                                                 agent_bytes settings, agent_completion problem,
                                                 void **instance) {
  const agent_type *type = (const agent_type *)type_ctx;
  agent_instance *self = (agent_instance *)calloc(1, type->size);
  if (!self) return agent_fail(problem, AGENT_FAILED, "There is no memory left.");
  self->host = host;
  self->events = (const agent_events_v1 *)host->get_extension(host->ctx, AGENT_EVENTS_V1);
  self->state = (const agent_service_v1 *)host->get_extension(host->ctx, AGENT_STATE_V1);
  self->settings = agent_json_keep(settings);
  self->type = type;
  agent_work_init(&self->work);
  *instance = self;
  const char *reason = type->init ? type->init(self) : NULL;
  if (!reason) return AGENT_OK;
  agent_instance_destroy(self);
  return agent_fail(problem, AGENT_INVALID_SETTINGS, reason);
}

static inline agent_status agent_instance_subscribe(agent_instance *self) {
  agent_subscriber_v1 subscriber = {sizeof(agent_subscriber_v1), self, agent_instance_arrived,
                                    agent_instance_closed};
  agent_json_writer request = {NULL, 0, 0, false};
  if (!self->events) return AGENT_UNSUPPORTED;
  self->subscriber = subscriber;
  agent_json_print(&request, "{'query':%.*s}", AGENT_JSON_ARG(agent_setting(self, "query")));
  agent_work_begin(&self->work);
  agent_status status = self->events->subscribe(self->events->ctx, agent_json_written(&request),
                                                &self->subscriber, &self->subscription);
  /* It wasn't taken: `closed` doesn't come. */
  if (status != AGENT_OK) agent_work_end(&self->work);
  agent_json_reset(&request);
  return status;
}

static inline agent_status agent_instance_start(void *instance, agent_completion ended) {
  agent_instance *self = (agent_instance *)instance;
  self->ended = ended;
  if (self->type->event) return agent_instance_subscribe(self);
  if (self->type->run) return agent_work_start(&self->work, self->type->run, self, ended);
  return AGENT_UNSUPPORTED;
}

static inline void agent_instance_stop(void *instance, agent_completion done) {
  agent_instance *self = (agent_instance *)instance;
  if (self->type->event) self->events->unsubscribe(self->events->ctx, self->subscription);
  agent_work_stop(&self->work, done);
}

#endif
