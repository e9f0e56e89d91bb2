package import AgentJSON

/// The health of a part of a process, as its module reports it.
package struct ModuleHealth: Sendable, Hashable {
  package enum State: String, Sendable, CaseIterable {
    /// All is well.
    case ok
    /// It works, and not as it should.
    case degraded
    /// It doesn't work.
    case failing
  }

  /// The process of the settings, or `module:NAME`.
  package let process: String
  package let module: String
  /// Which part of it; empty for the whole.
  package let component: String
  package let state: State
  /// A sentence for the person who must act.
  package let reason: String?
  /// When the state began, in Unix milliseconds.
  package let since: Int64

  /// For people: `orders/database`, or `orders`.
  package var name: String { component.isEmpty ? process : "\(process)/\(component)" }

  /// `name`, `process`, `module`, `component`, `state`, `reason`, `since`.
  package var json: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "process": .string(process), "module": .string(module),
      "state": .string(state.rawValue), "since": JSONValue(since),
    ]
    if !component.isEmpty { object["component"] = .string(component) }
    object["reason"] = reason.map(JSONValue.string)
    return .object(object)
  }
}
