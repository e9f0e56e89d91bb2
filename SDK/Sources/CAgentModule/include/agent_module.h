/* agent_module.h: all that a module and a host agree on.
 *
 * A module is a shared library with one exported function, `agent_module_v1`, which returns a
 * constant description of what the module contributes. Rules that hold everywhere:
 *
 *   - Only C types and bytes cross. No exception, no longjmp, no foreign object leaves its side.
 *   - Every struct begins with its own size and grows only at its end. A reader checks `size`
 *     before it reads a field that was added later (AGENT_HAS). Arrays carry their stride.
 *   - Every byte string is {ptr, len}, UTF-8 JSON unless stated, and borrowed until the call
 *     returns: copy what you keep. `ptr` may be NULL when `len` is 0.
 *   - Threads. [any-thread]: may be called from every thread at any time while the callee lives.
 *     [module-thread]: always the same single thread, never two calls at once. `created` and
 *     `started` name the state in which a call may arrive.
 *   - A completion is called exactly once, from any thread, possibly before the call that took
 *     it returns. Its bytes are borrowed until it returns.
 *
 * Life of a contribution:
 *
 *     create -> start -> (invoke | cancel | call_sync)* -> stop -> destroy
 *            -> destroy                                  (never started)
 */
#ifndef AGENT_MODULE_H
#define AGENT_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The major version of this interface. A host refuses a module of another one. */
#define AGENT_ABI 1u
#define AGENT_MODULE_SYMBOL "agent_module_v1"

/* True when the struct that `p` points to is new enough to hold `field`. */
#define AGENT_HAS(p, type, field) \
  ((p)->size >= offsetof(type, field) + sizeof(((type *)0)->field))

/* ------------------------------------------------------------------------------ plain values */

typedef int32_t agent_status;
enum {
  AGENT_OK = 0,
  AGENT_INVALID_ARGUMENT = 1,   /* the input is not what the declared schema asks for */
  AGENT_INVALID_SETTINGS = 2,   /* `create` can't work with these settings */
  AGENT_FAILED = 3,             /* it was tried and did not work */
  AGENT_CANCELLED = 4,          /* given up because the host asked for it */
  AGENT_UNSUPPORTED = 5,        /* this side doesn't offer that */
  AGENT_DEADLINE_EXCEEDED = 6,  /* the deadline passed before there was a result */
  AGENT_OVERLOADED = 7,         /* no credit, or a queue is full: wait, then try again */
  AGENT_CLOSED = 8,             /* the other side is stopping or gone */
  AGENT_CONFLICT = 9            /* it isn't what you expected it to be: look again, then decide */
};

typedef uint32_t agent_level;
enum { AGENT_TRACE = 0, AGENT_DEBUG = 1, AGENT_INFO = 2, AGENT_NOTICE = 3,
       AGENT_WARNING = 4, AGENT_ERROR = 5, AGENT_CRITICAL = 6 };

typedef uint32_t agent_kind;
enum { AGENT_DATASOURCE = 1, AGENT_MONITOR = 2, AGENT_LOGIC_ADAPTER = 3,
       AGENT_ACTION = 4, AGENT_NOTIFIER = 5, AGENT_STRATEGY = 6, AGENT_ROUTE = 7 };

typedef struct agent_bytes { const uint8_t *ptr; size_t len; } agent_bytes;

/* The function to call when something is done. `call` may be NULL where the function says so. With
 * AGENT_OK the bytes are the result (JSON, or empty); otherwise a sentence for a person. */
typedef struct agent_completion {
  void *ctx;
  void (*call)(void *ctx, agent_status status, agent_bytes result);
} agent_completion;

/* ---------------------------------------------------------------------- what the host offers */

/* The host as a contribution sees it. Valid from `create` until `destroy` returns; it belongs to
 * that one instance, so that log records and events carry the name of its process. */
typedef struct agent_host_v1 {
  uint32_t size;
  uint32_t abi;
  void *ctx;
  /* Writes a log record. `message` is plain UTF-8 text. [any-thread] Never blocks; a record that
   * doesn't fit the queue is counted and dropped. */
  void (*log)(void *ctx, agent_level level, agent_bytes message);
  /* Milliseconds since 1970-01-01T00:00:00Z, from the host's clock (a test may set it).
   * [any-thread] */
  int64_t (*now)(void *ctx);
  /* A service of the host by its id and revision, such as "events/1"; NULL when this host doesn't
   * offer it. The result lives as long as the host struct. [any-thread] */
  const void *(*get_extension)(void *ctx, const char *id);
} agent_host_v1;

/* "events/1": publish events, subscribe to queries, ask for recent events.
 * An event is a JSON object: `type` (string), `timestamp` (integer, Unix milliseconds), `source`
 * (string), and any other fields. `timestamp` and `source` are filled in where they are missing.
 * On behalf of an `invoke`, the field `__traceparent` with what its sink had shows the publication
 * in the call's trace; the host takes it off. */
#define AGENT_EVENTS_V1 "events/1"

typedef struct agent_subscriber_v1 {
  uint32_t size;
  void *ctx;
  /* A batch of matching events, a JSON array, oldest first. `dropped` counts the events lost
   * since the previous batch because the subscription's queue was full. [module-thread] */
  void (*events)(void *ctx, uint64_t subscription, agent_bytes batch, uint64_t dropped);
  /* The subscription has ended: after `unsubscribe` or with its query (AGENT_OK), or because the
   * host refused or closed it (`message`: a sentence). Exactly once; nothing follows it.
   * [module-thread] */
  void (*closed)(void *ctx, uint64_t subscription, agent_status status, agent_bytes message);
} agent_subscriber_v1;

typedef struct agent_events_v1 {
  uint32_t size;
  void *ctx;
  /* Publishes one event (a JSON object) or several (an array). `accepted` is called once the
   * events have left this process, which is later when credit has run out: wait for it before you
   * publish more. With `accepted.call` NULL the call returns AGENT_OVERLOADED instead of waiting.
   * Returns AGENT_OK or why nothing was taken (then `accepted` isn't called). [any-thread] */
  agent_status (*publish)(void *ctx, agent_bytes events, agent_completion accepted);
  /* Subscribes. `request` is one of
   *   {"query": string, "window_ms"?: integer, "capacity"?: integer,
   *    "overflow"?: "drop_oldest" | "drop_newest" | "block" | "read_log"}: events of the last
   *      `window_ms` come first, then live ones; at most `capacity` (default 1024) wait in the
   *      host's queue.
   *   {"query": string, "span": string}: runs a query, which may have pipes, over a span of time;
   *      its messages (objects with a "type"; rows are in those of type "event") come instead of
   *      events, until `closed` with AGENT_OK. With "after"?: "now" | MARK it goes on behind the
   *      mark of an earlier run, or begins now with its windows full; messages of rows have a
   *      "mark" then, and one of type "mark" comes now and then.
   *   {"query": string, "consumer": string, "from"?: "newest" | "oldest", "capacity"?: integer}:
   *      a durable consumer; the host remembers what was acknowledged and goes on there.
   * `subscriber` is borrowed until `closed` returns. [any-thread] */
  agent_status (*subscribe)(void *ctx, agent_bytes request,
                            const agent_subscriber_v1 *subscriber, uint64_t *subscription);
  /* Says that `count` events of a subscription are dealt with, so that as many more may be sent.
   * [any-thread] */
  void (*acknowledge)(void *ctx, uint64_t subscription, uint32_t count);
  /* Ends a subscription; `closed` follows. An unknown id is ignored. [any-thread] */
  void (*unsubscribe)(void *ctx, uint64_t subscription);
  /* Recent events. `request` is {"query": string, "window_ms"?: integer, "limit"?: integer}; the
   * result is {"events": [...], "truncated": boolean}, oldest first. [any-thread] */
  void (*query)(void *ctx, agent_bytes request, agent_completion done);
} agent_events_v1;

/* A service that is asked by the names of its methods; the extensions that say so have this table.
 * On the wire of the worker protocol it is CALL. */
typedef struct agent_service_v1 {
  uint32_t size;
  void *ctx;
  /* Asks the service. `method` is a bare name, such as `get`; `input` is its JSON, and the result
   * is JSON too. AGENT_UNSUPPORTED where the service has no such method, AGENT_INVALID_ARGUMENT
   * where the input isn't what the method takes. Neither waits nor blocks: `done` is called later,
   * exactly once. [any-thread] */
  void (*call)(void *ctx, agent_bytes method, agent_bytes input, agent_completion done);
  /* As `call`, on behalf of an `invoke`: `traceparent` is what its sink had, so that a trace shows
   * what was asked because of it. Empty: as `call`. Added later: AGENT_HAS. [any-thread] */
  void (*call_traced)(void *ctx, agent_bytes method, agent_bytes input, agent_bytes traceparent,
                      agent_completion done);
} agent_service_v1;

/* "state/1", an agent_service_v1: what the process keeps over restarts, JSON values by key.
 * Methods: get, list, write, history, limits; docs/state.md has their shapes. `write` changes
 * several keys or none, and can expect versions of them: AGENT_CONFLICT where a key has another
 * one. The worker that was told to start last may write: before `start`, and once a successor has
 * started, `write` ends with AGENT_CLOSED, and reading goes on. A write that was answered is
 * durable. */
#define AGENT_STATE_V1 "state/1"

/* "tasks/1", an agent_service_v1: tasks, bots and who gets what. Each method is the operation of
 * the REST API with the same name; the input has the members of its path, its query and its body in
 * one object, the result is its answer. docs/module-tasks.md has them:
 *   create_task get_task list_tasks wait_for_task execute_task cancel_task get_task_logs
 *   explain_task list_task_types
 *   register_bot update_bot set_bot_status bot_heartbeat unregister_bot list_bots get_bot
 *   get_bot_stats get_bots_stats get_assignment_strategy set_assignment_strategy
 *   assign_task explain_assignment list_assignments get_assignment get_bot_assignments
 *   accept_assignment reject_assignment assignment_heartbeat complete_assignment
 * AGENT_UNSUPPORTED where a module may not: types that are built in need a grant in the settings,
 * and nobody speaks for a bot that another process has registered. A bot counts on the worker that
 * has registered it, and is offline when that is gone. */
#define AGENT_TASKS_V1 "tasks/1"

/* "metrics/1", an agent_service_v1: metrics and health of what the module does, for the people who
 * run the agent; docs/module-services.md has the rules of names and labels. One method, `report`:
 *   {"metrics": [{"name": string, "labels"?: {NAME: string}, "help"?: string, and one of
 *                   "add": number     a counter has grown by so much since it was reported last
 *                   "set": number     a gauge's value
 *                   "observe": [number, ...], "bounds"?: [number, ...]     values of a histogram
 *                   "bounds": [...], "counts": [one more than bounds], "sum": number
 *                   the same, sorted
 *                }, ...],
 *    "health": [{"component"?: string, "state": "ok" | "degraded" | "failing", "reason"?: string}]}
 * The result is {"refused": [{"reason": string, ...}]}: what breaks a rule; the rest is taken.
 * Report what has come together once a second, and before `stop` is done; not every change by
 * itself. */
#define AGENT_METRICS_V1 "metrics/1"

/* "routes/1": requests to the agent's HTTP port below /modules/NAME/ that a module declares in its
 * manifest arrive as `invoke` of a contribution AGENT_ROUTE, in the shapes of
 * schemas/route.input.json and schemas/route.output.json. The module asks nothing of the host for
 * it, so there is no table: `get_extension` gives NULL. */
#define AGENT_ROUTES_V1 "routes/1"

/* "liveness/1": tell the supervisor that a long computation is at work and not stuck. */
#define AGENT_LIVENESS_V1 "liveness/1"

typedef struct agent_liveness_v1 {
  uint32_t size;
  void *ctx;
  /* Counts as an answer to the last ping. Cheap; at most one frame a second is sent.
   * [any-thread] */
  void (*heartbeat)(void *ctx);
} agent_liveness_v1;

/* ----------------------------------------------------------------------- what a module offers */

/* Where the answer to an `invoke` goes. Copy the struct (it is small) and keep the copy until
 * `finish`; `ctx` stays valid until then. */
typedef struct agent_sink_v1 {
  uint32_t size;
  void *ctx;
  /* A part of the result, any number of times before `finish`. [any-thread] */
  void (*part)(void *ctx, agent_bytes part);
  /* The end, exactly once. [any-thread] */
  void (*finish)(void *ctx, agent_status status, agent_bytes result);
  /* The trace that the call belongs to, as the `traceparent` of W3C Trace Context; empty for none.
   * Borrowed until `invoke` returns, in copies of the struct too. Added later: AGENT_HAS. */
  agent_bytes traceparent;
  /* What other vendors want to be handed on with that trace, as the `tracestate` of W3C Trace
   * Context; empty for nothing. Borrowed as `traceparent` is. Added later: AGENT_HAS. */
  agent_bytes tracestate;
  /* Writes a log record that belongs to this call: it is the process's like one of the host's
   * `log`, and a line of the log of the task that the call does, if it does one. Until `finish`.
   * Added later: AGENT_HAS. [any-thread] */
  void (*log)(void *ctx, agent_level level, agent_bytes message);
} agent_sink_v1;

typedef struct agent_contribution_v1 {
  uint32_t size;
  agent_kind kind;
  /* As in module.json: letters, digits, `_`, `-`; unique within its kind. */
  const char *name;
  /* Handed to `create`; the module's own. */
  void *type_ctx;
  /* Makes an instance. `settings` were checked against the manifest's schema. Acquires nothing
   * exclusive (no port, no lock): the predecessor may still be running. On failure returns why and
   * calls `problem` once with a sentence, before it returns. [module-thread] */
  agent_status (*create)(void *type_ctx, const agent_host_v1 *host, agent_bytes settings,
                         agent_completion problem, void **instance);
  /* Starts the work. `ended` is called exactly once, when the work is over: by itself, through an
   * error, or after `stop`. Contributions that only answer `invoke` may leave `start` NULL.
   * [module-thread & created] */
  agent_status (*start)(void *instance, agent_completion ended);
  /* Asks for the end. Calls that are under way are finished or cancelled, then `done` is called.
   * A second `stop` is answered too. NULL: nothing to stop. [module-thread & started] */
  void (*stop)(void *instance, agent_completion done);
  /* One call: adapters, actions, notifiers, strategies, routes. Input and result have the shapes of
   * the kind (schemas/KIND.input.json, schemas/KIND.output.json). `deadline` is in Unix
   * milliseconds, 0 for none. Returns soon; the work goes on elsewhere.
   * [module-thread & started] */
  void (*invoke)(void *instance, uint64_t call, agent_bytes input, int64_t deadline,
                 const agent_sink_v1 *sink);
  /* Gives up a call; `finish` still follows, usually with AGENT_CANCELLED. NULL: calls can't be
   * cancelled. [module-thread & started] */
  void (*cancel)(void *instance, uint64_t call);
  /* A fast path for the host's own process: answers into `out`, returns the number of bytes
   * written, or minus an agent_status. NULL: not offered. [any-thread & started] */
  int64_t (*call_sync)(void *instance, agent_bytes input, uint8_t *out, size_t capacity);
  /* Frees the instance; nothing of it is called afterwards. [module-thread & not started] */
  void (*destroy)(void *instance);
} agent_contribution_v1;

/* The module. Constant; lives as long as the process. */
typedef struct agent_module_descriptor_v1 {
  uint32_t size;
  uint32_t abi;                    /* AGENT_ABI as the module was compiled with */
  const char *name;                /* as in module.json */
  const char *version;             /* as in module.json */
  uint32_t contribution_count;
  uint32_t contribution_stride;    /* sizeof(agent_contribution_v1) as the module saw it */
  const agent_contribution_v1 *contributions;
  /* Answers a liveness probe through what runs the module's work (in Swift, a Task on the
   * global executor). NULL: the module thread's own answer is enough. [module-thread] */
  void (*ping)(agent_completion alive);
} agent_module_descriptor_v1;

/* The one exported symbol: `const agent_module_descriptor_v1 *agent_module_v1(void)`. Called once,
 * may return NULL to refuse. [module-thread] */
typedef const agent_module_descriptor_v1 *(*agent_module_entry)(void);

#ifdef __cplusplus
}
#endif
#endif
