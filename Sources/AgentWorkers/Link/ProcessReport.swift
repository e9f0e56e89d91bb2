package import AgentJSON

/// The report about one process for `agent status` and the API.
package struct ProcessReport: Sendable, Hashable {
  /// The name of the process in the settings, or `module:NAME` for a service worker.
  package var name: String
  package var module: String
  /// The name of the contribution. It is empty for a service worker.
  package var type: String
  /// Whether the settings enable the process.
  package var isEnabled: Bool
  package var state: ProcessState
  /// The process id of the worker, or `nil` if there is none.
  package var pid: Int32?
  /// The time of the start, in Unix milliseconds.
  package var startedAt: Int64?
  /// The time at which the worker was ready, in Unix microseconds.
  package var readyAt: Int64?
  /// The number of automatic restarts.
  package var restarts: Int
  /// The last exit of the worker, in words.
  package var lastExit: String?
  /// The reason for the state, if it isn't evident.
  package var reason: String?
  /// The level of the sandbox: full, partial or none. `nil` while it isn't known.
  package var sandbox: String?
  /// The missing parts of the sandbox, in words.
  package var sandboxDetail: String?
  /// Whether the process runs in a worker or in the host.
  package var isolation: String
  /// The bytes that the host holds because of the worker, or `nil` if there is no worker.
  package var held: WorkerLoad?
  /// The number of the worker's requests that the host refused, by the kind of request. `nil` if
  /// there is no worker.
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

  /// The report as JSON, for the API.
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
