public import AgentJSON
internal import AgentSystem

/// Counters of the results of one strategy's decisions. The caller reports each decision and
/// result.
public struct StrategyStatistics: Sendable, Hashable {
  /// Decisions that gave a task to a bot.
  public private(set) var assigned = 0
  /// Decisions that found no bot.
  public private(set) var unassigned = 0
  /// Tasks that ended well.
  public private(set) var succeeded = 0
  /// Tasks that ended in any other way.
  public private(set) var failed = 0
  /// Tasks that were taken from the chosen bot, because it rejected them, timed out or was lost.
  public private(set) var reassigned = 0
  /// The total time that tasks waited for a bot, in milliseconds.
  public private(set) var waited: Int64 = 0
  /// The longest wait, in milliseconds.
  public private(set) var longestWait: Int64 = 0

  /// Creates counters at zero.
  public init() {}

  /// Counts a decision on a task that had waited for `waited` milliseconds.
  public mutating func decided(_ decision: Decision, waited: Int64) {
    guard decision.choice != nil else {
      unassigned += 1
      return
    }
    assigned += 1
    self.waited = self.waited.adding(max(0, waited))
    longestWait = max(longestWait, waited)
  }

  /// Counts an assigned task that has ended.
  public mutating func ended(well: Bool) {
    if well { succeeded += 1 } else { failed += 1 }
  }

  /// Counts an assigned task that was taken from its bot.
  public mutating func wasReassigned() { reassigned += 1 }

  /// The share of ended tasks that succeeded, or nil where none has ended.
  public var successRate: Double? { share(succeeded, of: succeeded + failed) }

  /// The share of assigned tasks that were reassigned, or nil where none was assigned.
  public var reassignmentRate: Double? { share(reassigned, of: assigned) }

  /// The mean wait of a task in milliseconds, or nil where none was assigned.
  public var meanWait: Double? { assigned > 0 ? Double(waited) / Double(assigned) : nil }

  /// The counters as JSON. Times are milliseconds. Rates go from 0 to 1 or are null.
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
