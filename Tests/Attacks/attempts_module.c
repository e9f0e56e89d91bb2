/* The attempts as a module: the action "attempt" answers {"agent": FOLDER, "sibling": PID, "only":
 * NAMES} with an object of errnos. */
#define _GNU_SOURCE
#include "agent_module.h"
#include "attempts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER = 64 << 10 };

/* The value of a string member; good enough for what the tests write. */
static void member(agent_bytes json, const char *key, char *value, size_t capacity) {
  char pattern[64];
  char *copy = strndup((const char *)json.ptr, json.len);
  snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
  const char *start = copy ? strstr(copy, pattern) : NULL;
  value[0] = 0;
  if (start) {
    start += strlen(pattern);
    snprintf(value, capacity, "%.*s", (int)strcspn(start, "\""), start);
  }
  free(copy);
}

static agent_status create(void *type, const agent_host_v1 *host, agent_bytes settings,
                           agent_completion problem, void **made) {
  (void)type, (void)host, (void)settings, (void)problem;
  static int instance;
  *made = &instance;
  return AGENT_OK;
}

static void invoke(void *context, uint64_t call, agent_bytes input, int64_t deadline,
                   const agent_sink_v1 *sink) {
  (void)context, (void)call, (void)deadline;
  char agent[512], sibling[16], only[8192], answer[ANSWER];
  member(input, "agent", agent, sizeof agent);
  member(input, "sibling", sibling, sizeof sibling);
  member(input, "only", only, sizeof only);
  if (attempts_run(agent, getppid(), atoi(sibling), only, answer, sizeof answer))
    snprintf(answer, sizeof answer, "{}");
  agent_bytes text = { (const uint8_t *)answer, strlen(answer) };
  sink->finish(sink->ctx, AGENT_OK, text);
}

/* Sends LOADED with the sandbox of a worker that has all of it, before the worker sends its own, and
 * keeps the worker from going on. */
__attribute__((constructor)) static void claim(void) {
  static const char body[] =
      "{\"abi\":1,\"name\":\"library\",\"version\":\"1.0.0\",\"contributions\":[{\"kind\":"
      "\"action\",\"name\":\"attempt\"}],\"sandbox\":\"full\"}";
  if (access("claim", R_OK)) return;
  uint8_t frame[9 + sizeof body] = { 0 };
  uint32_t length = 5 + sizeof body - 1, load = 1;
  memcpy(frame, &length, sizeof length);
  frame[4] = 3;
  memcpy(frame + 5, &load, sizeof load);
  memcpy(frame + 9, body, sizeof body);
  if (write(atoi(getenv("AGENT_WORKER_FD")), frame, 9 + sizeof body - 1) < 0) return;
  for (;;) pause();
}

static void cancel(void *context, uint64_t call) { (void)context, (void)call; }
static void destroy(void *context) { (void)context; }

static const agent_contribution_v1 contributions[] = {
  { sizeof(agent_contribution_v1), AGENT_ACTION, "attempt", NULL, create, NULL, NULL, invoke, cancel,
    NULL, destroy },
};

static const agent_module_descriptor_v1 descriptor = {
  sizeof descriptor, AGENT_ABI, "library", "1.0.0", 1, sizeof *contributions, contributions, NULL,
};

const agent_module_descriptor_v1 *agent_module_v1(void) { return &descriptor; }
