import AgentText

/// The rule for a schedule that fires while earlier runs of it are still running.
public enum OverlapPolicy: String, Sendable, Hashable, CaseIterable {
  /// The new run doesn't take place.
  case skip
  /// The new run waits until the earlier runs have ended.
  case queue
  /// The new run starts at once.
  case parallel
  /// The earlier runs are cancelled. The new run starts after their end.
  case cancelRunning = "cancel_running"

  /// Reads `skip`, `queue`, `parallel` or `cancel_running`.
  ///
  /// - Throws: ``ScheduleError`` with the names, and the nearest one.
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

  /// The decision about a new run.
  public enum Decision: Sendable, Hashable {
    /// The run starts now.
    case start
    /// The run doesn't take place.
    case skip
    /// The run starts when the runs before it have ended.
    case wait
    /// The running runs are cancelled, and the waiting ones are dropped. The new run starts when
    /// the running ones have ended.
    case cancelOthersThenWait
  }

  /// Decides about a new run.
  ///
  /// - Parameters:
  ///   - running: the number of runs that have started and not ended.
  ///   - waiting: the number of runs that wait for those.
  ///   - longestQueue: the largest number of waiting runs. Further ones are skipped. Otherwise, a
  ///     job that takes longer than its period would fall behind without end.
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
