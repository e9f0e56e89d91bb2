public import AgentJSON
internal import AgentSystem

/// What came of a strategy's decisions, counted by who is told of them.
public struct StrategyFigures: Sendable, Hashable {
  /// Decisions that gave a task to somebody.
  public private(set) var assigned = 0
  /// Decisions that gave it to nobody.
  public private(set) var unassigned = 0
  /// Tasks that ended well.
  public private(set) var succeeded = 0
  /// Tasks that ended otherwise.
  public private(set) var failed = 0
  /// Tasks that were taken from the bot that the strategy had chosen: rejected, timed out, lost.
  public private(set) var reassigned = 0
  /// Milliseconds that tasks had waited until somebody got them, summed up.
  public private(set) var waited: Int64 = 0
  /// The longest of these.
  public private(set) var longestWait: Int64 = 0

  /// Nothing was counted.
  public init() {}

  /// A decision was taken on a task that had waited for so many milliseconds.
  public mutating func decided(_ decision: Decision, waited: Int64) {
    guard decision.choice != nil else {
      unassigned += 1
      return
    }
    assigned += 1
    self.waited = self.waited.adding(max(0, waited))
    longestWait = max(longestWait, waited)
  }

  /// A task that was given to somebody has ended.
  public mutating func ended(well: Bool) {
    if well { succeeded += 1 } else { failed += 1 }
  }

  /// A task was taken from whom it was given to.
  public mutating func wasReassigned() { reassigned += 1 }

  /// The share of the ended tasks that ended well; nil where none has ended.
  public var successRate: Double? { share(succeeded, of: succeeded + failed) }

  /// The share of what was given that was taken back; nil where nothing was given.
  public var reassignmentRate: Double? { share(reassigned, of: assigned) }

  /// Milliseconds that a task waited, on average; nil where nothing was given.
  public var meanWait: Double? { assigned > 0 ? Double(waited) / Double(assigned) : nil }

  /// The figures for machines; times in milliseconds, rates from 0 to 1 or null.
  public var json: JSONObject {
    [
      "assigned": JSONValue(assigned), "unassigned": JSONValue(unassigned),
      "succeeded": JSONValue(succeeded), "failed": JSONValue(failed),
      "reassigned": JSONValue(reassigned),
      "success_rate": successRate.map { JSONValue($0) } ?? .null,
      "reassignment_rate": reassignmentRate.map { JSONValue($0) } ?? .null,
      "mean_wait": meanWait.map { JSONValue($0) } ?? .null,
      "longest_wait": JSONValue(longestWait),
    ]
  }

  private func share(_ part: Int, of whole: Int) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
  }
}
