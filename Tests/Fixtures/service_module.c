/* A module that reports metrics and serves routes, well and badly: `name` of the route says how. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent_module.h"

static const agent_host_v1 *the_host;

static agent_bytes bytes(const char *text) {
  return (agent_bytes){(const uint8_t *)text, strlen(text)};
}

static void heard(void *ctx, agent_status status, agent_bytes result) {
  (void)ctx, (void)status;
  char text[256];
  int length = snprintf(text, sizeof text, "refused: %.*s", (int)result.len, (const char *)result.ptr);
  the_host->log(the_host->ctx, AGENT_INFO, (agent_bytes){(const uint8_t *)text, (size_t)length});
}

static void report(const char *json) {
  const agent_service_v1 *metrics = the_host->get_extension(the_host->ctx, AGENT_METRICS_V1);
  if (metrics)
    metrics->call(metrics->ctx, bytes("report"), bytes(json), (agent_completion){NULL, heard});
}

static agent_status create(void *type, const agent_host_v1 *host, agent_bytes settings,
                           agent_completion problem, void **instance) {
  (void)settings, (void)problem;
  the_host = host;
  *instance = type;
  return AGENT_OK;
}

static void stop(void *instance, agent_completion done) {
  (void)instance;
  done.call(done.ctx, AGENT_OK, bytes(""));
}

static void destroy(void *instance) { (void)instance; }

static void large(const agent_sink_v1 *sink) {
  const size_t size = 9u << 20;
  char *answer = malloc(size + 32);
  strcpy(answer, "{\"body\":\"");
  memset(answer + 9, 'x', size);
  strcpy(answer + 9 + size, "\"}");
  sink->finish(sink->ctx, AGENT_OK, bytes(answer));
  free(answer);
}

static void invoke(void *instance, uint64_t call, agent_bytes input, int64_t deadline,
                   const agent_sink_v1 *sink) {
  (void)call, (void)deadline;
  const char *name = instance;
  char text[8192];
  if (!strcmp(name, "echo")) {
    report("{\"metrics\":[{\"name\":\"served_total\",\"help\":\"Served.\",\"add\":1},"
           "{\"name\":\"Wrong\",\"set\":1}],"
           "\"health\":[{\"component\":\"echo\",\"state\":\"degraded\",\"reason\":\"It echoes.\"}]}");
    snprintf(text, sizeof text, "{\"json\":%.*s}", (int)input.len, (const char *)input.ptr);
    return sink->finish(sink->ctx, AGENT_OK, bytes(text));
  }
  if (!strcmp(name, "page"))
    return sink->finish(sink->ctx, AGENT_OK, bytes(
      "{\"content_type\":\"text/html; charset=utf-8\",\"body\":\"<script>steal()</script>\","
      "\"headers\":{\"etag\":\"\\\"1\\\"\"}}"));
  if (!strcmp(name, "cookie"))
    return sink->finish(sink->ctx, AGENT_OK, bytes("{\"headers\":{\"set-cookie\":\"a=b\"}}"));
  if (!strcmp(name, "garbage")) return sink->finish(sink->ctx, AGENT_OK, bytes("<p>hello</p>"));
  if (!strcmp(name, "wrong")) return sink->finish(sink->ctx, AGENT_INVALID_ARGUMENT, bytes("Not so."));
  if (!strcmp(name, "large")) return large(sink);
  if (!strcmp(name, "die")) abort();
  /* never: no answer at all */
}

#define ROUTE(n) {.size = sizeof(agent_contribution_v1), .kind = AGENT_ROUTE, .name = n, \
  .type_ctx = n, .create = create, .stop = stop, .invoke = invoke, .destroy = destroy}

static const agent_contribution_v1 contributions[] = {
  ROUTE("echo"), ROUTE("page"), ROUTE("cookie"), ROUTE("garbage"), ROUTE("wrong"), ROUTE("large"),
  ROUTE("die"), ROUTE("never"),
};

static const agent_module_descriptor_v1 descriptor = {
  .size = sizeof descriptor, .abi = AGENT_ABI, .name = "service", .version = "1.0.0",
  .contribution_count = sizeof contributions / sizeof *contributions,
  .contribution_stride = sizeof *contributions, .contributions = contributions,
};

const agent_module_descriptor_v1 *agent_module_v1(void) { return &descriptor; }
