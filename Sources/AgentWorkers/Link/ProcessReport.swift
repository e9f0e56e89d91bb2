package import AgentJSON

/// One process as `agent status` shows it.
package struct ProcessReport: Sendable, Hashable {
  /// Its name in the settings; `module:NAME` for a service worker.
  package var name: String
  package var module: String
  /// The contribution's name; empty for a service worker.
  package var type: String
  /// Whether the settings enable it.
  package var isEnabled: Bool
  package var state: ProcessState
  /// The worker, while there is one.
  package var pid: Int32?
  /// Since when it runs, in Unix milliseconds.
  package var startedAt: Int64?
  /// When it was ready, in Unix microseconds.
  package var readyAt: Int64?
  /// The number of automatic restarts.
  package var restarts: Int
  /// How the worker ended last, in words.
  package var lastExit: String?
  /// Why it is in this state, where that isn't evident.
  package var reason: String?
  /// The sandbox it reached: full, partial, none; nil while that isn't known.
  package var sandbox: String?
  /// The missing parts of the sandbox, in words.
  package var sandboxDetail: String?
  /// Whether it runs in a worker or in the host.
  package var isolation: String
  /// The bytes that the host holds because of its worker; nil while there is none.
  package var held: WorkerLoad?
  /// How often the host has refused something to its worker, by what was asked for; nil while there
  /// is none.
  package var refused: [String: Int64]?

  package init(
    name: String, module: String, type: String, isEnabled: Bool, state: ProcessState,
    pid: Int32? = nil,
    startedAt: Int64? = nil, readyAt: Int64? = nil, restarts: Int, lastExit: String? = nil,
    reason: String? = nil, sandbox: String? = nil, sandboxDetail: String? = nil, isolation: String,
    held: WorkerLoad? = nil
  ) {
    self.name = name
    self.module = module
    self.type = type
    self.isEnabled = isEnabled
    self.state = state
    self.pid = pid
    self.startedAt = startedAt
    self.readyAt = readyAt
    self.restarts = restarts
    self.lastExit = lastExit
    self.reason = reason
    self.sandbox = sandbox
    self.sandboxDetail = sandboxDetail
    self.isolation = isolation
    self.held = held
  }

  /// The report as the API gives it.
  package var json: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    func integer(_ value: (some BinaryInteger)?) -> JSONValue {
      value.map { .number(JSONNumber(Int64(clamping: $0))) } ?? .null
    }
    return [
      "name": .string(name), "module": .string(module), "type": .string(type),
      "enabled": .bool(isEnabled), "state": .string(state.rawValue), "pid": integer(pid),
      "started_at": integer(startedAt),
      "ready_at": readyAt.flatMap { JSONNumber(Double($0) / 1000) }.map { .number($0) } ?? .null,
      "restarts": integer(Optional(restarts)),
      "last_exit": text(lastExit), "reason": text(reason), "sandbox": text(sandbox),
      "sandbox_detail": text(sandboxDetail), "isolation": .string(isolation),
      "held": held?.json ?? .null,
      "refused": refused.map {
        .object(
          JSONObject($0.sorted { $0.key < $1.key }.map { ($0.key, .number(JSONNumber($0.value))) }))
      } ?? .null,
    ]
  }
}
