import AgentModules
import AgentSettings
import Glibc
import TestSupport
import Testing

/// A module in C that runs inside the host, compiled for the test that asks for it.
package enum InProcessModule {
  package static let manifest = """
    {
      "name": "clock", "version": "0.1.0", "title": "Clock", "abi": 1, "library": "libclock.so",
      "processes": {
        "ticks": {
          "kind": "datasource", "title": "Ticks",
          "settings": {
            "type": "object", "properties": { "zone": { "type": "string" } },
            "additionalProperties": false
          }
        }
      },
      "logic_adapters": { "echo": { "title": "Echo", "settings": { "type": "object" } } }
    }
    """

  /// An agent with the module, built.
  package static func agent() throws -> TestAgent {
    let agent = try TestAgent(manifest: manifest)
    let folder = "\(agent.folder.path)/modules/clock"
    let code = try agent.folder.write("modules/clock/module.c", source)
    let words: [String] = [
      "cc", "-shared", "-fPIC", "-I", headers, code, "-o", "\(folder)/libclock.so",
    ]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid = pid_t()
    var status: Int32 = -1
    try #require(posix_spawnp(&pid, "cc", nil, nil, &arguments, environ) == 0)
    try #require(waitpid(pid, &status, 0) == pid && status == 0)
    return agent
  }

  package static let settings = """
    {"agent": {"name": "t"}, "enabled_modules": ["clock"],
     "modules": {"clock": {"isolation": "host"}},
     "processes": {"a": {"type": "ticks"}, "b": {"type": "ticks", "zone": "nowhere"},
                   "late": {"type": "ticks", "zone": "later"},
                   "brief": {"type": "ticks", "zone": "brief"}}}
    """

  /// The repository: this file is three levels below it, seen past links.
  package static let root: String = {
    let resolved = realpath(#filePath, nil)
    defer { free(resolved) }
    let path = resolved.map { String(cString: $0) } ?? #filePath
    return path.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
  }()
  private static let headers = "\(root)/SDK/Sources/CAgentModule/include"

  private static let source = #"""
    #include "agent_module.h"
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>

    typedef struct { const agent_host_v1 *host; agent_completion ended; int late, brief; } ticks;

    /* The instances that aren't destroyed. */
    static _Atomic int alive;

    /* What an instance that stops late will say when it is told to. */
    static agent_completion late_end, late_done;

    static agent_bytes bytes(const char *text) {
      return (agent_bytes){(const uint8_t *)text, strlen(text)};
    }

    static agent_status create(void *type, const agent_host_v1 *host, agent_bytes settings,
                               agent_completion problem, void **instance) {
      (void)type;
      if (memmem(settings.ptr, settings.len, "nowhere", 7)) {
        problem.call(problem.ctx, AGENT_INVALID_SETTINGS, bytes("There is no such zone."));
        return AGENT_INVALID_SETTINGS;
      }
      ticks *own = calloc(1, sizeof *own);
      own->host = host;
      own->late = memmem(settings.ptr, settings.len, "later", 5) != NULL;
      own->brief = memmem(settings.ptr, settings.len, "brief", 5) != NULL;
      *instance = own;
      alive++;
      return AGENT_OK;
    }

    static void written(void *ctx, agent_status status, agent_bytes result) {
      (void)ctx; (void)status; (void)result;
    }

    static agent_status start(void *instance, agent_completion ended) {
      ticks *own = instance;
      own->ended = ended;
      if (own->brief) {
        own->ended = (agent_completion){0};
        ended.call(ended.ctx, AGENT_FAILED, bytes("It was brief."));
      }
      const agent_events_v1 *events = own->host->get_extension(own->host->ctx, AGENT_EVENTS_V1);
      agent_completion nobody = {0};
      const agent_service_v1 *state = own->host->get_extension(own->host->ctx, AGENT_STATE_V1);
      state->call(state->ctx, bytes("write"),
                  bytes("{\"changes\":[{\"key\":\"started\",\"value\":true}]}"),
                  (agent_completion){NULL, written});
      const agent_service_v1 *metrics = own->host->get_extension(own->host->ctx, AGENT_METRICS_V1);
      metrics->call(metrics->ctx, bytes("report"),
                    bytes("{\"metrics\":[{\"name\":\"starts_total\",\"add\":1},"
                          "{\"name\":\"up\",\"set\":1}],\"health\":[{\"state\":\"ok\"}]}"),
                    (agent_completion){NULL, written});
      return events->publish(events->ctx, bytes("{\"type\":\"tick\"}"), nobody);
    }

    static void stop(void *instance, agent_completion done) {
      ticks *own = instance;
      if (own->late && !late_end.call) {
        late_end = own->ended;
        late_done = done;
        return;
      }
      if (own->ended.call) own->ended.call(own->ended.ctx, AGENT_OK, bytes(""));
      done.call(done.ctx, AGENT_OK, bytes(""));
    }

    static void destroy(void *instance) {
      alive--;
      free(instance);
    }

    static void invoke(void *instance, uint64_t call, agent_bytes input, int64_t deadline,
                       const agent_sink_v1 *sink) {
      (void)instance; (void)call; (void)deadline;
      if (late_end.call && memmem(input.ptr, input.len, "late", 4)) {
        late_end.call(late_end.ctx, AGENT_OK, bytes(""));
        late_done.call(late_done.ctx, AGENT_OK, bytes(""));
      }
      char count[12];
      snprintf(count, sizeof count, "%d", alive);
      if (memmem(input.ptr, input.len, "alive", 5)) sink->finish(sink->ctx, AGENT_OK, bytes(count));
      else if (input.len == 4) sink->finish(sink->ctx, AGENT_INVALID_ARGUMENT, bytes("Say something."));
      else sink->finish(sink->ctx, AGENT_OK, input);
    }

    static const agent_contribution_v1 contributions[] = {
      {.size = sizeof(agent_contribution_v1), .kind = AGENT_DATASOURCE, .name = "ticks",
       .create = create, .start = start, .stop = stop, .destroy = destroy},
      {.size = sizeof(agent_contribution_v1), .kind = AGENT_LOGIC_ADAPTER, .name = "echo",
       .create = create, .invoke = invoke, .destroy = destroy},
    };
    static const agent_module_descriptor_v1 module = {
      .size = sizeof(agent_module_descriptor_v1), .abi = AGENT_ABI, .name = "clock",
      .version = "0.1.0", .contribution_count = 2,
      .contribution_stride = sizeof(agent_contribution_v1), .contributions = contributions};
    const agent_module_descriptor_v1 *agent_module_v1(void) { return &module; }
    """#
}
