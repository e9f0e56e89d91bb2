/* agent_work.h: work of a contribution that goes on after the function that began it has returned.
 *
 * The module thread must return soon, so what takes time happens elsewhere: on a thread of the
 * contribution's own, or in the host until it calls a completion. `stop` must wait for it without
 * waiting itself. An `agent_work` counts what is under way, and answers `stop` with the end of the
 * last of it. A datasource's whole life:
 *
 *     static void run(void *ctx) {
 *       source *s = ctx;
 *       do { read_and_publish(s); } while (agent_work_sleep(&s->work, 500));
 *     }
 *     static agent_status start(void *ctx, agent_completion ended) {
 *       return agent_work_start(&((source *)ctx)->work, run, ctx, ended);
 *     }
 *     static void stop(void *ctx, agent_completion done) {
 *       agent_work_stop(&((source *)ctx)->work, done);
 *     }
 *
 * It needs POSIX threads: compile with -pthread, and without a strict -std, or with _GNU_SOURCE.
 * `agent build` does. The header is complete; there is no library to link.
 */
#ifndef AGENT_WORK_H
#define AGENT_WORK_H

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <time.h>

#include "agent_json.h"

/* Says why `create` fails, and is what it returns then. [module-thread] */
static inline agent_status agent_fail(agent_completion problem, agent_status status,
                                      const char *sentence) {
  problem.call(problem.ctx, status, agent_text(sentence));
  return status;
}

/* Part of an instance, which is freed in `destroy`, when nothing is under way any more. */
typedef struct agent_work {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int under_way;
  bool is_stopping;
  agent_completion stopped[2];
  int stops;
  /* The work of the thread, and the function that gets its end. */
  void (*run)(void *ctx);
  void *ctx;
  agent_completion ended;
} agent_work;

/* Before everything else, in `create`. [module-thread] */
static inline void agent_work_init(agent_work *work) {
  pthread_condattr_t attributes;
  memset(work, 0, sizeof *work);
  pthread_mutex_init(&work->lock, NULL);
  /* By a clock that nobody sets. */
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&work->changed, &attributes);
  pthread_condattr_destroy(&attributes);
}

/* In `destroy`. [module-thread] */
static inline void agent_work_destroy(agent_work *work) {
  pthread_cond_destroy(&work->changed);
  pthread_mutex_destroy(&work->lock);
}

/* Says that something begins; false once it is to stop: then leave it. [any-thread] */
static inline bool agent_work_begin(agent_work *work) {
  pthread_mutex_lock(&work->lock);
  bool may = !work->is_stopping;
  if (may) work->under_way++;
  pthread_mutex_unlock(&work->lock);
  return may;
}

/* Says that it has ended, once for each `begin` that was true. The instance may be gone when this
 * returns: it is the last thing to do with it. [any-thread] */
static inline void agent_work_end(agent_work *work) {
  agent_bytes nothing = {NULL, 0};
  pthread_mutex_lock(&work->lock);
  bool is_last = --work->under_way == 0;
  int stops = is_last ? work->stops : 0;
  agent_completion stopped[2] = {work->stopped[0], work->stopped[1]};
  if (is_last) work->stops = 0;
  pthread_mutex_unlock(&work->lock);
  for (int at = 0; at < stops; at++) stopped[at].call(stopped[at].ctx, AGENT_OK, nothing);
}

/* Calls `done` when nothing is under way any more, perhaps at once. A second time too; from the
 * third on at once. [module-thread] */
static inline void agent_work_stop(agent_work *work, agent_completion done) {
  agent_bytes nothing = {NULL, 0};
  pthread_mutex_lock(&work->lock);
  bool waits = work->under_way > 0 && work->stops < 2;
  work->is_stopping = true;
  if (waits) work->stopped[work->stops++] = done;
  pthread_cond_broadcast(&work->changed);
  pthread_mutex_unlock(&work->lock);
  if (!waits) done.call(done.ctx, AGENT_OK, nothing);
}

/* Waits, or returns at once when it is to stop: false then. Zero milliseconds only ask. Not on the
 * module thread. */
static inline bool agent_work_sleep(agent_work *work, int64_t milliseconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (time_t)(milliseconds / 1000);
  until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
  pthread_mutex_lock(&work->lock);
  int waited = milliseconds > 0 ? 0 : ETIMEDOUT;
  while (!work->is_stopping && waited == 0) {
    waited = pthread_cond_timedwait(&work->changed, &work->lock, &until);
  }
  bool goes_on = !work->is_stopping;
  pthread_mutex_unlock(&work->lock);
  return goes_on;
}

static inline void *agent_work_thread(void *ctx) {
  agent_work *work = (agent_work *)ctx;
  agent_bytes nothing = {NULL, 0};
  work->run(work->ctx);
  if (work->ended.call) work->ended.call(work->ended.ctx, AGENT_OK, nothing);
  agent_work_end(work);
  return NULL;
}

/* Calls `run` on a thread of its own, and `ended` when it returns. `run` returns soon after
 * agent_work_sleep was false. At most once for each instance. [module-thread] */
static inline agent_status agent_work_start(agent_work *work, void (*run)(void *ctx), void *ctx,
                                            agent_completion ended) {
  pthread_t thread;
  work->run = run;
  work->ctx = ctx;
  work->ended = ended;
  if (!agent_work_begin(work)) return AGENT_CLOSED;
  if (pthread_create(&thread, NULL, agent_work_thread, work) == 0) {
    pthread_detach(thread);
    return AGENT_OK;
  }
  agent_work_end(work);
  return AGENT_FAILED;
}

/* ------------------------------------------- waiting for the host: never on the module thread */

typedef struct agent_answer {
  sem_t arrived;
  agent_status status;
  agent_bytes bytes;
} agent_answer;

static inline void agent_answer_arrived(void *ctx, agent_status status, agent_bytes result) {
  agent_answer *answer = (agent_answer *)ctx;
  answer->bytes = agent_json_keep(result);
  answer->status = result.ptr && !answer->bytes.ptr ? (agent_status)AGENT_FAILED : status;
  sem_post(&answer->arrived);
}

static inline agent_status agent_answer_wait(agent_answer *answer, agent_bytes *result) {
  while (sem_wait(&answer->arrived) != 0) {} /* a signal came */
  sem_destroy(&answer->arrived);
  if (result) *result = answer->bytes;
  else agent_json_free(answer->bytes);
  return answer->status;
}

/* Publishes and waits until the host has taken the events: it takes its time when it is behind. */
static inline agent_status agent_publish_and_wait(const agent_events_v1 *events, agent_bytes batch) {
  agent_answer answer;
  agent_completion accepted = {&answer, agent_answer_arrived};
  sem_init(&answer.arrived, 0, 0);
  agent_status status = events->publish(events->ctx, batch, accepted);
  if (status == AGENT_OK) return agent_answer_wait(&answer, NULL);
  sem_destroy(&answer.arrived);
  return status;
}

/* Asks a service and waits for its answer: JSON, or a sentence where the status isn't AGENT_OK, to
 * be freed with agent_json_free. `result` may be NULL. */
static inline agent_status agent_call_and_wait(const agent_service_v1 *service, const char *method,
                                               agent_bytes input, agent_bytes *result) {
  agent_answer answer;
  agent_completion done = {&answer, agent_answer_arrived};
  sem_init(&answer.arrived, 0, 0);
  service->call(service->ctx, agent_text(method), input, done);
  return agent_answer_wait(&answer, result);
}

#endif
