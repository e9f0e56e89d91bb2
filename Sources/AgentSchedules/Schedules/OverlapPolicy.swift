import AgentText

/// What happens when a schedule fires while an earlier run of it still runs.
public enum OverlapPolicy: String, Sendable, Hashable, CaseIterable {
  /// The new run is left out.
  case skip
  /// It waits until the others have ended.
  case queue
  /// It runs beside them.
  case parallel
  /// The others are cancelled, and it runs when they have ended.
  case cancelRunning = "cancel_running"

  /// Reads `skip`, `queue`, `parallel` or `cancel_running`.
  ///
  /// - Throws: ``ScheduleError`` with the names and the nearest one.
  public init(_ text: String) throws(ScheduleError) {
    if let policy = Self(rawValue: text) {
      self = policy
      return
    }
    let names = Self.allCases.map(\.rawValue)
    let nearest = NameSuggestion.of(text, among: names)
    throw ScheduleError(
      .policy,
      "\(String(text.prefix(40)).debugDescription) isn't an overlap policy. Allowed are \(names.joined(separator: ", "))."
        + NameSuggestion.question(nearest, quote: ""))
  }

  /// What becomes of a new run.
  public enum Decision: Sendable, Hashable {
    /// It starts now.
    case start
    /// It doesn't run at all.
    case skip
    /// It starts when what is before it has ended.
    case wait
    /// Running runs are cancelled, waiting ones are dropped, and the new run starts when those have
    /// ended.
    case cancelOthersThenWait
  }

  /// Decides about a new run.
  ///
  /// - Parameters:
  ///   - running: how many runs of the schedule have started and not ended.
  ///   - waiting: how many wait for those.
  ///   - longestQueue: how many may wait; further ones are left out, so that a job that takes
  ///     longer than its period doesn't fall behind for ever.
  public func decide(running: Int, waiting: Int, longestQueue: Int = 100) -> Decision {
    if running + waiting == 0 { return .start }
    return switch self {
    case .skip: .skip
    case .parallel: .start
    case .queue: waiting < longestQueue ? .wait : .skip
    case .cancelRunning: .cancelOthersThenWait
    }
  }
}
