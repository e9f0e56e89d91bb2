/// Reports the health of a contribution's components to the people who run the agent. `get_health`
/// shows it beside the host's own.
///
/// ```swift
/// host.health.report(
///   .degraded, "Orders are read from a copy that is 5 minutes old.", for: "database")
/// ```
///
/// A report holds until the next one for the same component, and is gone with the worker. The host
/// itself checks whether the worker is alive and answers: report what only the module can know.
public struct Health: Sendable {
  /// The health of a component.
  public enum State: String, Sendable, CaseIterable {
    /// It works.
    case ok
    /// It works, but not as it should.
    case degraded
    /// It doesn't work.
    case failing
  }

  let recorder: MetricsRecorder

  /// Reports the health of a component. Repeating the same report costs nothing.
  /// - Parameters:
  ///   - reason: a sentence for the person who must act.
  ///   - component: the component's name; nil for the contribution as a whole.
  public func report(_ state: State, _ reason: String? = nil, for component: String? = nil) {
    recorder.report(component ?? "", HealthReport(state: state, reason: reason))
  }
}

/// The latest report for a component.
struct HealthReport: Sendable, Equatable {
  let state: Health.State
  let reason: String?

  func object(_ component: String) -> JSONObject {
    var object: JSONObject = ["state": .string(state.rawValue)]
    if !component.isEmpty { object["component"] = .string(component) }
    object["reason"] = reason.map(JSONValue.string)
    return object
  }
}
