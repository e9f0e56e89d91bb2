/// How the parts of a contribution do, for the people who run the agent: `get_health` shows them
/// beside the host's own.
///
/// ```swift
/// host.health.report(.degraded, "Orders are read from a copy that is 5 minutes old.", for: "database")
/// ```
/// What was reported holds until something else is, and is gone with the worker. The host knows by
/// itself whether the worker is alive and answers: report what only the module can know.
public struct Health: Sendable {
  /// How a part does.
  public enum State: String, Sendable, CaseIterable {
    /// All is well.
    case ok
    /// It works, and not as it should.
    case degraded
    /// It doesn't work.
    case failing
  }

  let recorder: MetricsRecorder

  /// Says how a part does. To repeat what was said before costs nothing.
  /// - Parameters:
  ///   - reason: a sentence for the person who must act.
  ///   - component: which part; nil for the contribution as a whole.
  public func report(_ state: State, _ reason: String? = nil, for component: String? = nil) {
    recorder.report(component ?? "", HealthReport(state: state, reason: reason))
  }
}

/// What was said of a part.
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
