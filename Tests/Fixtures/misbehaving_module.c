/* A module that does what its settings say: {"mode": "segv"}. Compile with
 *   cc -shared -fPIC -I SDK/Sources/CAgentModule/include misbehaving_module.c -o libmisbehaving.so
 * and, for modules that are wrong from the start, one of
 *   -DLIE        gives itself another name than its manifest
 *   -DABI=3      claims another version of the interface
 *   -DBIGGER     has a contribution struct with fields that no host knows
 *   -DMISSING    needs a symbol that nobody has
 *   -DHIDDEN     doesn't export its entry
 *   -DCROWDED    loads every library of the folder "crowd" when it is loaded
 *   -DSPEAKS_AT_ONCE  writes to the crash pipe when it is loaded
 *
 * Modes of the datasource "misbehave", at start: segv trap abort exit spin overflow leak slow-leak fork
 * setsid close-socket garbage huge-length flood-log flood-events; at STOP: ignore-stop, crash-stop;
 * `end` ends at once by itself; `refuse` isn't created. Anything else behaves.
 * The action "probe" answers {"try": WHAT} with {"errno": n}; see `attempt`. */
#define _GNU_SOURCE
#include "agent_module.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef ABI
#define ABI AGENT_ABI
#endif

#ifdef CROWDED
__attribute__((constructor)) static void crowd(void) {
  DIR *folder = opendir("crowd");
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    char path[300];
    snprintf(path, sizeof path, "crowd/%s", entry->d_name);
    if (*entry->d_name != '.' && !dlopen(path, RTLD_NOW | RTLD_LOCAL)) abort();
  }
}
#endif

#ifdef SPEAKS_AT_ONCE
__attribute__((constructor)) static void speak(void) {
  const char *pipe = getenv("AGENT_CRASH_FD");
  if (!pipe || write(atoi(pipe), "mine\n", 5) != 5) abort();
}
#endif

typedef struct instance {
  const agent_host_v1 *host;
  char mode[32];
  agent_completion ended;
  uint64_t subscription;
  agent_subscriber_v1 subscriber;
} instance;

static agent_bytes text(const char *string) {
  return (agent_bytes){ (const uint8_t *)string, strlen(string) };
}

/* The value of a string member; good enough for what the tests write. */
static void member(agent_bytes json, const char *key, char *value, size_t capacity) {
  char pattern[64], copy[4096];
  size_t length = json.len < sizeof copy - 1 ? json.len : sizeof copy - 1;
  memcpy(copy, json.ptr, length);
  copy[length] = 0;
  snprintf(pattern, sizeof pattern, "\"%s\"", key);
  const char *start = strstr(copy, pattern);
  value[0] = 0;
  if (!start) return;
  start += strlen(pattern);
  start += strspn(start, " :\"");
  snprintf(value, capacity, "%.*s", (int)strcspn(start, "\""), start);
}

static void log_text(const instance *self, const char *message) {
  self->host->log(self->host->ctx, AGENT_INFO, text(message));
}

/* -------------------------------------------------------------------------------- misbehavior */

static int worker_socket(void) {
  const char *number = getenv("AGENT_WORKER_FD");
  return number ? atoi(number) : -1;
}

static int deeper(volatile int depth) {
  volatile char page[4096];
  page[0] = (char)depth;
  if (depth < 0) return 0;
  return deeper(depth + 1) + page[0];
}

static void leak(void) {
  for (;;) {
    char *page = malloc(1 << 20);
    if (!page) abort();
    memset(page, 1, 1 << 20);
  }
}

static void *flood(void *context) {
  instance *self = context;
  const agent_events_v1 *events = self->host->get_extension(self->host->ctx, AGENT_EVENTS_V1);
  int logs = !strcmp(self->mode, "flood-log");
  for (unsigned i = 0;; i++) {
    if (logs) log_text(self, "the same sentence again, and again, and again");
    else if (events->publish(events->ctx, text("{\"type\":\"flood\"}"), (agent_completion){ 0 }))
      usleep(100);
    if (i == 4000000000u) return NULL;
  }
}

static void misbehave(instance *self) {
  const char *mode = self->mode;
  static const unsigned char garbage[] = "\x07\x00\x00\x00garbage, and more garbage than a frame";
  static const unsigned char huge[] = { 0xff, 0xff, 0xff, 0x7f, 1, 0, 0, 0, 0 };
  if (!strcmp(mode, "segv")) *(volatile int *)8 = 1;
  else if (!strcmp(mode, "trap")) __builtin_trap();
  else if (!strcmp(mode, "abort")) abort();
  else if (!strcmp(mode, "exit")) exit(3);
  else if (!strcmp(mode, "spin")) for (volatile int i = 0;; i++) {}
  else if (!strcmp(mode, "overflow")) deeper(0);
  else if (!strcmp(mode, "slow-leak")) for (;; usleep(10000)) {
    char *p = malloc(1 << 20);
    if (p) memset(p, 1, 1 << 20);
  }
  else if (!strcmp(mode, "leak")) leak();
  else if (!strcmp(mode, "fork")) { while (fork() >= 0) {} log_text(self, strerror(errno)); }
  else if (!strcmp(mode, "setsid")) 
    log_text(self, setsid() < 0 ? strerror(errno) : "left the session");
  else if (!strcmp(mode, "close-socket")) shutdown(worker_socket(), SHUT_RDWR);
  else if (!strcmp(mode, "garbage")) send(worker_socket(), garbage, sizeof garbage, MSG_NOSIGNAL);
  else if (!strcmp(mode, "huge-length")) send(worker_socket(), huge, sizeof huge, MSG_NOSIGNAL);
  else if (!strncmp(mode, "flood", 5)) {
    pthread_t thread;
    pthread_create(&thread, NULL, flood, self);
  }
}

/* -------------------------------------------------------------------------------- the sandbox */

static int tried(int result) { return result < 0 ? errno : 0; }

static int attempt(const char *what) {
  if (!strcmp(what, "socket")) return tried(socket(AF_INET, SOCK_STREAM, 0));
  if (!strcmp(what, "unix-socket")) return tried(socket(AF_UNIX, SOCK_STREAM, 0));
  if (!strcmp(what, "socketpair")) {
    int ends[2];
    return tried(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  }
  if (!strcmp(what, "kill-parent")) return tried(kill(getppid(), 0));
  if (!strcmp(what, "kill-self")) return tried(kill(getpid(), 0));
  if (!strcmp(what, "exec")) return tried(execl("/bin/true", "true", (char *)NULL));
  if (!strcmp(what, "limit")) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) ? errno : (int)limit.rlim_cur;
  }
  if (!strcmp(what, "fork")) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return tried(child);
  }
  if (!strncmp(what, "read ", 5)) return tried(open(what + 5, O_RDONLY));
  if (!strncmp(what, "write ", 6)) return tried(open(what + 6, O_WRONLY | O_CREAT, 0600));
  return 0;
}

/* ------------------------------------------------------------------------------ contributions */

static agent_status create(void *type, const agent_host_v1 *host, agent_bytes settings,
                           agent_completion problem, void **made) {
  (void)type;
  instance *self = calloc(1, sizeof *self);
  self->host = host;
  member(settings, "mode", self->mode, sizeof self->mode);
  if (!strcmp(self->mode, "refuse")) {
    problem.call(problem.ctx, AGENT_INVALID_SETTINGS, text("The mode must not be \"refuse\"."));
    free(self);
    return AGENT_INVALID_SETTINGS;
  }
  *made = self;
  return AGENT_OK;
}

static agent_status start(void *context, agent_completion ended) {
  instance *self = context;
  self->ended = ended;
  log_text(self, "started");
  misbehave(self);
  if (!strcmp(self->mode, "end")) ended.call(ended.ctx, AGENT_FAILED, text("Nothing to do."));
  return AGENT_OK;
}

static void stop(void *context, agent_completion done) {
  instance *self = context;
  if (!strcmp(self->mode, "ignore-stop")) return;
  if (!strcmp(self->mode, "crash-stop")) abort();
  if (self->ended.call && strcmp(self->mode, "end"))
    self->ended.call(self->ended.ctx, AGENT_OK, text(""));
  done.call(done.ctx, AGENT_OK, text(""));
}

/* Nothing is freed: a flooding thread goes on after STOP. */
static void destroy(void *context) { (void)context; }

/* The answer of a service is the answer of the call. */
static void answered(void *context, agent_status status, agent_bytes result) {
  agent_sink_v1 *sink = context;
  sink->finish(sink->ctx, status, result);
  free(sink);
}

static void ask_state(const instance *self, const char *method, const agent_sink_v1 *sink) {
  const agent_service_v1 *state = self->host->get_extension(self->host->ctx, AGENT_STATE_V1);
  agent_sink_v1 *kept = malloc(sizeof *kept);
  *kept = *sink;
  state->call(state->ctx, text(method), text("{\"keys\":[\"a\"]}"),
              (agent_completion){ kept, answered });
}

static void probe(void *context, uint64_t call, agent_bytes input, int64_t deadline,
                  const agent_sink_v1 *sink) {
  (void)call, (void)deadline;
  char what[256], answer[64];
  member(input, "try", what, sizeof what);
  if (!strncmp(what, "state ", 6)) { ask_state(context, what + 6, sink); return; }
  if (!strcmp(what, "nothing")) return;
  if (!strcmp(what, "twice")) sink->finish(sink->ctx, AGENT_OK, text("1"));
  if (!strcmp(what, "not-json")) { sink->finish(sink->ctx, AGENT_OK, text("{")); return; }
  if (!strcmp(what, "large")) {
    char *large = malloc(3 << 20);
    memset(large, 'x', 3 << 20);
    large[0] = large[(3 << 20) - 1] = '"';
    sink->finish(sink->ctx, AGENT_OK, (agent_bytes){ (uint8_t *)large, 3 << 20 });
    free(large);
    return;
  }
  if (!strcmp(what, "parts")) for (int i = 0; i < 3; i++) sink->part(sink->ctx, text("\"part\""));
  int length = snprintf(answer, sizeof answer, "{\"errno\":%d}", attempt(what));
  sink->finish(sink->ctx, AGENT_OK, (agent_bytes){ (uint8_t *)answer, (size_t)length });
}

static void cancel_nothing(void *context, uint64_t call) { (void)context, (void)call; }

static int64_t echo(void *context, agent_bytes input, uint8_t *out, size_t capacity) {
  (void)context;
  if (input.len > capacity) return -AGENT_INVALID_ARGUMENT;
  memcpy(out, input.ptr, input.len);
  return (int64_t)input.len;
}

/* A monitor that publishes what it gets under another type, and acknowledges it. */
static void batch(void *context, uint64_t subscription, agent_bytes events, uint64_t dropped) {
  instance *self = context;
  (void)events;
  const agent_events_v1 *bus = self->host->get_extension(self->host->ctx, AGENT_EVENTS_V1);
  char event[64];
  snprintf(event, sizeof event, "{\"type\":\"seen\",\"dropped\":%lu}", (unsigned long)dropped);
  bus->publish(bus->ctx, text(event), (agent_completion){ 0 });
  bus->acknowledge(bus->ctx, subscription, 256);
}

static void closed(void *context, uint64_t subscription, agent_status status, agent_bytes message) {
  (void)subscription, (void)message;
  log_text(context, status == AGENT_OK ? "subscription ended" : "subscription closed by the host");
}

static agent_status watch(void *context, agent_completion ended) {
  instance *self = context;
  self->ended = ended;
  const agent_events_v1 *bus = self->host->get_extension(self->host->ctx, AGENT_EVENTS_V1);
  self->subscriber = (agent_subscriber_v1){ sizeof self->subscriber, self, batch, closed };
  return bus->subscribe(bus->ctx, text("{\"query\":\"type:tick\"}"), &self->subscriber,
                        &self->subscription);
}

#ifdef BIGGER
typedef struct contribution { agent_contribution_v1 known; void *unknown[5]; } contribution;
#define ENTRY(...) { { sizeof(contribution), __VA_ARGS__ }, { 0 } }
#else
typedef agent_contribution_v1 contribution;
#define ENTRY(...) { sizeof(contribution), __VA_ARGS__ }
#endif

static const contribution contributions[] = {
  ENTRY(AGENT_DATASOURCE, "misbehave", NULL, create, start, stop, NULL, NULL, NULL, destroy),
  ENTRY(AGENT_ACTION, "probe", NULL, create, NULL, NULL, probe, cancel_nothing, echo, destroy),
  ENTRY(AGENT_MONITOR, "watch", NULL, create, watch, stop, NULL, NULL, NULL, destroy),
};

#ifdef LIE
#define NAME "somebody_else"
#else
#define NAME "misbehaving"
#endif

static const agent_module_descriptor_v1 descriptor = {
  sizeof descriptor, ABI, NAME, "1.0.0", 3, sizeof(contribution),
  (const agent_contribution_v1 *)contributions, NULL,
};

#ifdef MISSING
void nobody_has_this(void);
#endif

#ifdef HIDDEN
__attribute__((visibility("hidden")))
#endif
const agent_module_descriptor_v1 *agent_module_v1(void) {
#ifdef MISSING
  nobody_has_this();
#endif
  return &descriptor;
}
