package import AgentJSON

/// The health of a process or of one of its components, as the module reports it.
package struct ModuleHealth: Sendable, Hashable {
  package enum State: String, Sendable, CaseIterable {
    /// All is well.
    case ok
    /// The component works, but not as it should.
    case degraded
    /// The component doesn't work.
    case failing
  }

  /// The name of the process in the settings, or `module:NAME`.
  package let process: String
  package let module: String
  /// The component of the process; empty for the whole process.
  package let component: String
  package let state: State
  /// A sentence for the person who must act.
  package let reason: String?
  /// When the state began, in Unix milliseconds.
  package let since: Int64

  /// The name that people see: `orders/database`, or `orders` for the whole process.
  package var name: String { component.isEmpty ? process : "\(process)/\(component)" }

  /// The health as an object with `name`, `process`, `module`, `component`, `state`, `reason` and
  /// `since`. An empty component and a missing reason are left out.
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
