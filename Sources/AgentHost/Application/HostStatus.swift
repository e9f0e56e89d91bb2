package import AgentDiagnostics
package import AgentJSON
internal import AgentSettings
package import AgentWorkers

/// A change of the settings that is being made.
package struct ChangeReport: Sendable, Hashable {
  /// Which: `a reload`, `an edit of the settings`.
  package var what: String
  /// Since when, in Unix milliseconds.
  package var since: Int64

  /// The change as the API gives it.
  package var json: JSONValue { ["what": .string(what), "since": JSONValue(since)] }
}

/// The host as `agent status` shows it.
package struct HostStatus: Sendable, Hashable {
  package var agent: String
  package var version: String
  package var folder: String
  package var pid: Int32
  /// Since when it runs, in Unix milliseconds.
  package var startedAt: Int64
  /// The management socket.
  package var socket: String
  /// The address of the API's port, where one is open.
  package var url: String?
  /// Whether every enabled process has started, or has failed to. False for a host that ends.
  package var isReady: Bool
  package var database: DatabaseReport
  /// The processes in the order of the settings, then the service workers.
  package var processes: [ProcessReport]
  /// The ports that the settings ask for.
  package var listeners: [ListenerReport]
  /// What the host holds in memory for clients, by part.
  package var held: JSONValue
  /// What the database and the folders hold of nouns with limits of bytes, by noun.
  package var stored: JSONValue
  /// Why hardly anything runs; nil when everything does.
  package var safeMode: SafeMode?
  /// The change that is being made.
  package var change: ChangeReport?

  /// The status as the API gives it.
  package var json: JSONValue {
    [
      "agent": .string(agent), "version": .string(version), "folder": .string(folder),
      "pid": .number(JSONNumber(Int(pid))), "started_at": .number(JSONNumber(startedAt)),
      "socket": .string(socket), "url": url.map { .string($0) } ?? .null,
      "ready": .bool(isReady), "database": database.json,
      "processes": .array(processes.map(\.json)),
      "listeners": .array(listeners.map(\.json)), "held": held, "stored": stored,
      "safe_mode": safeMode?.json ?? .null, "change": change?.json ?? .null,
    ]
  }
}

extension HostStatus {
  /// The line that systemd shows for the host.
  static func line(_ settings: AgentSettings, _ safeMode: SafeMode?) -> String {
    "\(settings.agent.name) runs" + (safeMode == nil ? "" : " in safe mode")
  }
}
