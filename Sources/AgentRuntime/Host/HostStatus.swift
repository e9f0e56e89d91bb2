public import AgentJSON

/// One process as `agent status` shows it.
public struct ProcessReport: Sendable, Hashable {
  /// Its name in the settings; `module:NAME` for a service worker.
  public var name: String
  /// The module it comes from.
  public var module: String
  /// The contribution's name; empty for a service worker.
  public var type: String
  /// Whether the settings enable it.
  public var isEnabled: Bool
  /// STOPPED, STARTING, RUNNING, STOPPING, BACKING-OFF, FAILED, FINISHED, IDLE or DISABLED.
  public var state: String
  /// The worker, while there is one.
  public var pid: Int32?
  /// Since when it runs, in Unix milliseconds.
  public var startedAt: Int64?
  /// When it was ready, in Unix microseconds.
  public var readyAt: Int64?
  /// How often it was restarted by itself.
  public var restarts: Int
  /// How the worker ended last, in words.
  public var lastExit: String?
  /// Why it is in this state, where that isn't evident.
  public var reason: String?
  /// The sandbox it reached: full, partial, none; nil while that isn't known.
  public var sandbox: String?
  /// What the sandbox lacks, in words.
  public var sandboxDetail: String?
  /// Whether it runs in a worker or in the host.
  public var isolation: String
  /// What the host holds because of its worker; nil while there is none.
  public var held: WorkerLoad?

  /// The report as the API gives it.
  public var json: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    func integer(_ value: (some BinaryInteger)?) -> JSONValue {
      value.map { .number(JSONNumber(Int64(clamping: $0))) } ?? .null
    }
    return [
      "name": .string(name), "module": .string(module), "type": .string(type),
      "enabled": .bool(isEnabled), "state": .string(state), "pid": integer(pid),
      "started_at": integer(startedAt),
      "ready_at": readyAt.flatMap { JSONNumber(Double($0) / 1000) }.map { .number($0) } ?? .null,
      "restarts": integer(Optional(restarts)),
      "last_exit": text(lastExit), "reason": text(reason), "sandbox": text(sandbox),
      "sandbox_detail": text(sandboxDetail), "isolation": .string(isolation),
      "held": held?.json ?? .null,
    ]
  }
}

/// A change of the settings that is being made.
public struct ChangeReport: Sendable, Hashable {
  /// Which: `a reload`, `an edit of the settings`.
  public var what: String
  /// Since when, in Unix milliseconds.
  public var since: Int64

  /// The change as the API gives it.
  public var json: JSONValue { ["what": .string(what), "since": JSONValue(since)] }
}

/// The host as `agent status` shows it.
public struct HostStatus: Sendable, Hashable {
  /// The agent's name.
  public var agent: String
  /// The host's version.
  public var version: String
  /// The agent's folder.
  public var folder: String
  /// The host.
  public var pid: Int32
  /// Since when it runs, in Unix milliseconds.
  public var startedAt: Int64
  /// The management socket.
  public var socket: String
  /// The address of the API's port, where one is open.
  public var url: String?
  /// Whether every enabled process has started, or has failed to.
  public var isReady: Bool
  /// The agent's database.
  public var database: DatabaseReport
  /// The processes in the order of the settings, then the service workers.
  public var processes: [ProcessReport]
  /// The ports that the settings ask for.
  public var listeners: [ListenerReport]
  /// Why hardly anything runs; nil when everything does.
  public var safeMode: SafeMode?
  /// The change that is being made.
  public var change: ChangeReport?

  /// The status as the API gives it.
  public var json: JSONValue {
    [
      "agent": .string(agent), "version": .string(version), "folder": .string(folder),
      "pid": .number(JSONNumber(Int(pid))), "started_at": .number(JSONNumber(startedAt)),
      "socket": .string(socket), "url": url.map { .string($0) } ?? .null,
      "ready": .bool(isReady), "database": database.json,
      "processes": .array(processes.map(\.json)),
      "listeners": .array(listeners.map(\.json)),
      "safe_mode": safeMode?.json ?? .null, "change": change?.json ?? .null,
    ]
  }
}
