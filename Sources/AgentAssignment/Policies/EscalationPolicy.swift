internal import AgentSystem

/// What is done with a task that nobody accepts, or that is late. Pure: it is told the time and
/// what has happened so far.
public struct EscalationPolicy: Sendable, Hashable {
  /// What is known of a task.
  public struct Situation: Sendable, Hashable {
    /// Since when nobody has accepted it, in Unix milliseconds; nil where somebody has.
    public var unacceptedSince: Int64?
    /// When it was to be done, in Unix milliseconds; nil where nothing was said, or it is done.
    public var due: Int64?

    /// What is known of a task.
    public init(unacceptedSince: Int64?, due: Int64? = nil) {
      self.unacceptedSince = unacceptedSince
      self.due = due
    }
  }

  /// What was done so far, to be kept with the task.
  public struct History: Sendable, Hashable {
    /// How often each step was done, by its place in the policy.
    public internal(set) var done: [Int: Int] = [:]
    /// When each was last done, in Unix milliseconds.
    public internal(set) var last: [Int: Int64] = [:]

    /// Nothing was done.
    public init() {}

    /// A history as it was left.
    public init(done: [Int: Int], last: [Int: Int64]) {
      self.done = done
      self.last = last
    }
  }

  /// What comes next.
  public enum Next: Sendable, Hashable {
    /// Do this now, which is the step at `index` for the `number`th time.
    case escalate(Escalation.Target, index: Int, number: Int)
    /// Nothing before this moment.
    case wait(until: Int64)
    /// Nothing any more, as long as the situation stays.
    case done
  }

  /// The steps. Of two that are due at the same moment the earlier in the list comes first.
  public let steps: [Escalation]

  /// A policy of these steps.
  public init(_ steps: [Escalation]) { self.steps = steps }

  /// What is to be done, or when to ask again. After an ``Next/escalate(_:index:number:)`` that was
  /// done and ``record(_:at:in:)``, ask at once: more may be due.
  ///
  /// What was missed while nobody looked is done once, not as often as it was missed.
  public func next(_ situation: Situation, _ history: History, at now: Int64) -> Next {
    let upcoming = steps.enumerated().compactMap { index, step in
      moment(of: step, index, situation, history).map { (moment: $0, index: index, step: step) }
    }
    guard let first = upcoming.min(by: { ($0.moment, $0.index) < ($1.moment, $1.index) }) else {
      return .done
    }
    guard first.moment <= now else { return .wait(until: first.moment) }
    return .escalate(
      first.step.target, index: first.index,
      number: (history.done[first.index] ?? 0).adding(1))
  }

  /// Notes that a step was done.
  public func record(_ index: Int, at now: Int64, in history: inout History) {
    history.done[index] = (history.done[index] ?? 0).adding(1)
    history.last[index] = now
  }

  private func moment(
    of step: Escalation, _ index: Int, _ situation: Situation, _ history: History
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
  /// The sum, or the greatest number.
  func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
