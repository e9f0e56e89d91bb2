internal import AgentSystem

/// The escalation of tasks that no bot accepts or that are late. It is pure: the caller passes the
/// time and the history.
public struct EscalationPolicy: Sendable, Hashable {
  /// The facts about a task that the policy needs.
  public struct Situation: Sendable, Hashable {
    /// Since when no bot has accepted the task, in Unix milliseconds. Nil where a bot has accepted
    /// it.
    public var unacceptedSince: Int64?
    /// The due date in Unix milliseconds. Nil where there is none, or the task is done.
    public var due: Int64?

    /// Creates a situation.
    public init(unacceptedSince: Int64?, due: Int64? = nil) {
      self.unacceptedSince = unacceptedSince
      self.due = due
    }
  }

  /// The escalations until now. The caller stores them with the task.
  public struct History: Sendable, Hashable {
    /// The number of times that each step happened, by its index in the policy.
    public internal(set) var done: [Int: Int] = [:]
    /// When each step last happened, in Unix milliseconds.
    public internal(set) var last: [Int: Int64] = [:]

    /// Creates an empty history.
    public init() {}

    /// Restores a stored history.
    public init(done: [Int: Int], last: [Int: Int64]) {
      self.done = done
      self.last = last
    }
  }

  /// The next act of the caller.
  public enum Next: Sendable, Hashable {
    /// Perform this now. It is the step at `index`, for the `number`th time.
    case escalate(Escalation.Target, index: Int, number: Int)
    /// Do nothing before this moment, in Unix milliseconds.
    case wait(until: Int64)
    /// Do nothing while the situation stays the same.
    case done
  }

  /// The steps. If two are due at the same moment, the earlier one in the list comes first.
  public let steps: [Escalation]

  /// Creates a policy of these steps.
  public init(_ steps: [Escalation]) { self.steps = steps }

  /// Returns the escalation that is due, or when to ask again. After an
  /// ``Next/escalate(_:index:number:)`` the caller performs it, calls ``record(_:at:in:)`` and asks
  /// again at once, because more may be due.
  ///
  /// A step that was due several times since the last call happens once.
  public func next(_ situation: Situation, _ history: History, at now: Int64) -> Next {
    let upcoming = steps.enumerated().compactMap { index, step in
      moment(of: step, index: index, situation: situation, history: history).map {
        (moment: $0, index: index, step: step)
      }
    }
    guard let first = upcoming.min(by: { ($0.moment, $0.index) < ($1.moment, $1.index) }) else {
      return .done
    }
    guard first.moment <= now else { return .wait(until: first.moment) }
    return .escalate(
      first.step.target, index: first.index,
      number: (history.done[first.index] ?? 0).adding(1))
  }

  /// Records in `history` that a step happened.
  public func record(_ index: Int, at now: Int64, in history: inout History) {
    history.done[index] = (history.done[index] ?? 0).adding(1)
    history.last[index] = now
  }

  private func moment(
    of step: Escalation, index: Int, situation: Situation, history: History
  ) -> Int64? {
    let start =
      switch step.trigger {
      case .unaccepted: situation.unacceptedSince
      case .overdue: situation.due
      }
    guard let start, (history.done[index] ?? 0) < step.times else { return nil }
    guard let last = history.last[index] else { return start.adding(step.after) }
    return step.every.map { last.adding($0) }
  }
}

extension Int {
  /// The sum, or the greatest number on overflow.
  func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
