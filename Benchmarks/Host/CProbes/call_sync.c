#include "call_sync.h"

#include <agent_module.h>
#include <dlfcn.h>
#include <string.h>

#include "probes.h"

static void ignore_log(void *ctx, agent_level level, agent_bytes message) {
  (void)ctx, (void)level, (void)message;
}

static int64_t no_time(void *ctx) {
  (void)ctx;
  return 0;
}

static const void *no_extension(void *ctx, const char *id) {
  (void)ctx, (void)id;
  return NULL;
}

static void ignore_completion(void *ctx, agent_status status, agent_bytes result) {
  (void)ctx, (void)status, (void)result;
}

static const agent_host_v1 host = {
    .size = sizeof(agent_host_v1), .abi = AGENT_ABI, .log = ignore_log, .now = no_time,
    .get_extension = no_extension};

static const agent_contribution_v1 *find(const agent_module_descriptor_v1 *module,
                                         const char *name) {
  const char *entry = (const char *)module->contributions;
  for (uint32_t i = 0; i < module->contribution_count; i++, entry += module->contribution_stride) {
    const agent_contribution_v1 *found = (const agent_contribution_v1 *)entry;
    if (strcmp(found->name, name) == 0) return found;
  }
  return NULL;
}

/* The probe calls through the same kind of pointer; only the way the input is passed differs. */
static agent_contribution_v1 called;

static int64_t forward(void *instance, const uint8_t *input, size_t length, uint8_t *out,
                       size_t capacity) {
  return called.call_sync(instance, (agent_bytes){input, length}, out, capacity);
}

int64_t call_sync_cost(const char *library, const char *name, int count) {
  /* Never closed: a Swift image can't be. */
  void *image = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (image == NULL) return -1;
  agent_module_entry entry = (agent_module_entry)dlsym(image, AGENT_MODULE_SYMBOL);
  const agent_module_descriptor_v1 *module = entry == NULL ? NULL : entry();
  const agent_contribution_v1 *found = module == NULL ? NULL : find(module, name);
  if (found == NULL) return -2;
  if (found->call_sync == NULL) return -3;
  called = *found;
  void *instance = NULL;
  agent_completion ignored = {NULL, ignore_completion};
  agent_bytes settings = {(const uint8_t *)"{}", 2};
  if (found->create(found->type_ctx, &host, settings, ignored, &instance) != AGENT_OK) return -3;
  if (found->start != NULL && found->start(instance, ignored) != AGENT_OK) return -3;
  int64_t cost = probe_calls(forward, instance, count);
  return cost < 0 ? -3 : cost;
}
