/* What agent_instance.h and agent_work.h promise, with a host that the test plays.
 * Tools/prove-c.sh compiles and runs it, also with the thread sanitizer. */
#undef NDEBUG
#include "agent_instance.h"

#include <assert.h>
#include <stdatomic.h>

/* ------------------------------------------------------------------------------------- the host */

static atomic_int published, acknowledged, logged;
static agent_status refusal = AGENT_OK;
static agent_completion last_query;
static const agent_subscriber_v1 *subscriber;
static char request[256];

static void *accept_later(void *ctx) {
  agent_completion *accepted = ctx;
  agent_bytes nothing = AGENT_JSON_NONE;
  accepted->call(accepted->ctx, AGENT_OK, nothing);
  free(accepted);
  return NULL;
}

static agent_status publish(void *ctx, agent_bytes events, agent_completion accepted) {
  (void)ctx;
  assert(agent_json_parse(events).ptr);
  if (refusal != AGENT_OK) return refusal;
  published++;
  agent_completion *copy = malloc(sizeof *copy);
  pthread_t thread;
  assert(copy);
  *copy = accepted;
  assert(pthread_create(&thread, NULL, accept_later, copy) == 0);
  pthread_detach(thread);
  return AGENT_OK;
}

static agent_status subscribe(void *ctx, agent_bytes asked, const agent_subscriber_v1 *by,
                              uint64_t *subscription) {
  (void)ctx;
  snprintf(request, sizeof request, "%.*s", (int)asked.len, (const char *)asked.ptr);
  if (refusal != AGENT_OK) return refusal;
  subscriber = by;
  *subscription = 5;
  return AGENT_OK;
}

static void acknowledge(void *ctx, uint64_t subscription, uint32_t count) {
  (void)ctx;
  assert(subscription == 5);
  acknowledged += (int)count;
}

static void unsubscribe(void *ctx, uint64_t subscription) {
  const agent_subscriber_v1 *closing = subscriber;
  agent_bytes nothing = AGENT_JSON_NONE;
  (void)ctx;
  subscriber = NULL;
  if (closing) closing->closed(closing->ctx, subscription, AGENT_OK, nothing);
}

static void query(void *ctx, agent_bytes asked, agent_completion done) {
  (void)ctx, (void)asked;
  last_query = done;
}

static void call_state(void *ctx, agent_bytes method, agent_bytes input, agent_completion done) {
  (void)ctx, (void)input;
  bool is_known = method.len == 3;
  done.call(done.ctx, is_known ? AGENT_OK : AGENT_UNSUPPORTED, agent_text(is_known ? "{}" : "No."));
}

static const agent_events_v1 events = {
    sizeof events, NULL, publish, subscribe, acknowledge, unsubscribe, query};
static const agent_service_v1 state = {sizeof state, NULL, call_state, NULL};

static void write_log(void *ctx, agent_level level, agent_bytes message) {
  (void)ctx, (void)level, (void)message;
  logged++;
}

static int64_t now(void *ctx) { return ctx ? 0 : 1; }

static const void *get_extension(void *ctx, const char *id) {
  (void)ctx;
  if (!strcmp(id, AGENT_EVENTS_V1)) return &events;
  return strcmp(id, AGENT_STATE_V1) ? NULL : &state;
}

static const agent_host_v1 host = {sizeof host, AGENT_ABI, NULL, write_log, now, get_extension};

/* A completion that counts how often it was called, and with what. */
typedef struct counter {
  atomic_int calls;
  agent_status status;
} counter;

static void count_call(void *ctx, agent_status status, agent_bytes result) {
  (void)result;
  ((counter *)ctx)->status = status;
  ((counter *)ctx)->calls++;
}

static agent_completion counting(counter *c) { return (agent_completion){c, count_call}; }

static void wait_for(const counter *c) {
  while (c->calls == 0) sched_yield();
}

/* ------------------------------------------------------------------------------ contributions */

typedef struct sample {
  agent_instance base;
  char *name;
  int seen;
} sample;

static atomic_int deinits, runs_ended;

static const char *init(void *self) {
  sample *s = self;
  s->name = agent_json_new_text(agent_setting(&s->base, "name"));
  return s->name ? NULL : "It has no name.";
}

static void deinit(void *self) {
  free(((sample *)self)->name);
  deinits++;
}

static void run(void *self) {
  sample *s = self;
  agent_json_writer event = {0};
  agent_json answer = AGENT_JSON_NONE;
  assert(agent_call_and_wait(s->base.state, "get", agent_text("{}"), &answer) == AGENT_OK);
  assert(agent_json_kind_of(answer) == AGENT_JSON_OBJECT);
  agent_json_free(answer);
  assert(agent_call_and_wait(s->base.state, "what", agent_text("{}"), NULL) == AGENT_UNSUPPORTED);
  agent_json_print(&event, "{'type':'sample','name':%s}", s->name);
  do {
    assert(agent_publish_and_wait(s->base.events, agent_json_written(&event)) == AGENT_OK);
  } while (agent_work_sleep(&s->base.work, 1));
  assert(!agent_work_sleep(&s->base.work, 60000) && !agent_work_sleep(&s->base.work, 0));
  agent_json_reset(&event);
  runs_ended++;
}

static void arrived(void *self, agent_json event) {
  sample *s = self;
  if (agent_json_equals(agent_json_get(event, "type"), "x")) s->seen++;
}

static void invoke(void *instance, uint64_t id, agent_bytes input, int64_t deadline,
                   const agent_sink_v1 *sink) {
  (void)instance, (void)id, (void)input, (void)deadline, (void)sink;
}

static const agent_type running = {.size = sizeof(sample), .init = init, .run = run, .deinit = deinit};
static const agent_type listening = {.size = sizeof(sample), .event = arrived};
static const agent_contribution_v1 source = AGENT_PROCESS(AGENT_DATASOURCE, "source", running);
static const agent_contribution_v1 monitor = AGENT_PROCESS(AGENT_MONITOR, "monitor", listening);
static const agent_contribution_v1 adapter =
    AGENT_ADAPTER(AGENT_LOGIC_ADAPTER, "adapter", listening, invoke);

static void *create(const agent_contribution_v1 *type, const char *settings) {
  void *instance = NULL;
  counter problems = {0};
  agent_status status = type->create(type->type_ctx, &host, agent_text(settings),
                                     counting(&problems), &instance);
  assert(problems.calls == (status != AGENT_OK));
  return status == AGENT_OK ? instance : NULL;
}

static void a_process_works_on_a_thread_until_it_is_stopped(void) {
  counter ended = {0}, done = {0}, again = {0};
  void *instance = create(&source, "{\"name\":\"n\"}");
  assert(source.start(instance, counting(&ended)) == AGENT_OK);
  while (published < 3) sched_yield();
  assert(ended.calls == 0);
  source.stop(instance, counting(&done));
  source.stop(instance, counting(&again));
  wait_for(&done), wait_for(&again);
  assert(ended.calls == 1 && ended.status == AGENT_OK && runs_ended == 1);
  source.destroy(instance);
  assert(deinits == 1 && done.calls == 1 && again.calls == 1);
}

static void what_cannot_work_says_why_and_is_freed(void) {
  deinits = 0;
  assert(!create(&source, "{}") && deinits == 1);
}

static void what_never_started_is_freed(void) {
  source.destroy(create(&source, "{\"name\":\"n\"}"));
}

static void a_process_gets_the_events_of_its_query(void) {
  counter ended = {0}, done = {0};
  sample *instance = create(&monitor, "{\"query\":\"type:x\"}");
  assert(monitor.start(instance, counting(&ended)) == AGENT_OK);
  assert(!strcmp(request, "{\"query\":\"type:x\"}"));
  subscriber->events(subscriber->ctx, 5, agent_text("[{\"type\":\"x\"},{\"type\":\"y\"}]"), 0);
  assert(instance->seen == 1 && acknowledged == 2 && logged == 0);
  subscriber->events(subscriber->ctx, 5, agent_text("[]"), 3);
  assert(logged == 1);
  monitor.stop(instance, counting(&done));
  assert(ended.calls == 1 && done.calls == 1);
  monitor.destroy(instance);
}

static void a_subscription_that_the_host_closes_or_refuses_ends_the_work(void) {
  counter ended = {0}, done = {0};
  void *instance = create(&monitor, "{\"query\":\"type:x\"}");
  refusal = AGENT_INVALID_ARGUMENT;
  assert(monitor.start(instance, counting(&ended)) == AGENT_INVALID_ARGUMENT);
  refusal = AGENT_OK;
  assert(monitor.start(instance, counting(&ended)) == AGENT_OK);
  subscriber->closed(subscriber->ctx, 5, AGENT_FAILED, agent_text("It is wrong."));
  subscriber = NULL;
  assert(ended.calls == 1 && ended.status == AGENT_FAILED);
  monitor.stop(instance, counting(&done));
  assert(done.calls == 1);
  monitor.destroy(instance);
}

static void end_work(void *ctx, agent_status status, agent_bytes result) {
  (void)status, (void)result;
  agent_work_end(ctx);
}

static void a_stop_waits_for_the_calls_that_are_under_way(void) {
  counter done = {0}, late = {0};
  agent_instance *instance = create(&adapter, "{}");
  assert(!adapter.start && adapter.invoke);
  assert(agent_work_begin(&instance->work) && agent_work_begin(&instance->work));
  instance->events->query(NULL, agent_text("{}"), (agent_completion){&instance->work, end_work});
  agent_work_stop(&instance->work, counting(&done));
  assert(done.calls == 0 && !agent_work_begin(&instance->work));
  last_query.call(last_query.ctx, AGENT_OK, agent_text("{}"));
  assert(done.calls == 0);
  agent_work_end(&instance->work);
  assert(done.calls == 1);
  agent_work_stop(&instance->work, counting(&late));
  assert(late.calls == 1);
  assert(agent_work_start(&instance->work, run, instance, counting(&late)) == AGENT_CLOSED);
  adapter.destroy(instance);
}

static void a_refusal_is_returned_without_waiting(void) {
  refusal = AGENT_CLOSED;
  assert(agent_publish_and_wait(&events, agent_text("{}")) == AGENT_CLOSED);
  refusal = AGENT_OK;
}

int main(void) {
  a_process_works_on_a_thread_until_it_is_stopped();
  what_cannot_work_says_why_and_is_freed();
  what_never_started_is_freed();
  a_process_gets_the_events_of_its_query();
  a_subscription_that_the_host_closes_or_refuses_ends_the_work();
  a_stop_waits_for_the_calls_that_are_under_way();
  a_refusal_is_returned_without_waiting();
  return 0;
}
