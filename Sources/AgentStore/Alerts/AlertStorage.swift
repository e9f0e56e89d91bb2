/// Reads alerts.
public protocol AlertReader: AnyObject {
  /// Returns an alert, or `nil` if there is none with this number.
  func alert(_ id: Int64) throws(StoreError) -> AlertRow?
  /// Returns the unresolved alert of a rule with a key, or `nil` if there is none.
  func current(rule: String, key: String) throws(StoreError) -> AlertRow?
  /// Returns the unresolved alerts of a rule with a topic, the oldest first.
  func current(rule: String, topic: String) throws(StoreError) -> [AlertRow]
  /// Returns the number of unresolved alerts of a rule. It counts at most `most`.
  func countCurrent(rule: String, most: Int) throws(StoreError) -> Int
  /// Returns the selected alerts, the newest first.
  func alerts(_ selection: AlertSelection) throws(StoreError) -> [AlertRow]
  /// Returns the history of an alert, the oldest line first.
  func history(_ alert: Int64) throws(StoreError) -> [AlertStep]
  /// Returns the number of alerts in each state.
  func alertCounts() throws(StoreError) -> [AlertRow.State: Int]
  /// Returns the earliest time at which an alert is due, in Unix milliseconds, or `nil` if none is.
  func nextDue() throws(StoreError) -> Int64?
  /// Returns the alerts that are due at `moment`, the earliest first.
  func due(by moment: Int64, limit: Int) throws(StoreError) -> [AlertRow]
  /// Returns the positions of the queries of rules, sorted by rule and trigger.
  func rulePositions() throws(StoreError) -> [RulePositionRow]
  /// Returns the position of a query of a rule, or `nil` if none is stored.
  func rulePosition(_ rule: String, trigger: String) throws(StoreError) -> RulePositionRow?
}

/// Writes alerts.
public protocol AlertStorage: AlertReader {
  /// Adds an alert.
  /// - Returns: its number.
  /// - Throws: `conflict` if the rule has an unresolved alert with the same key.
  func insert(_ alert: AlertRow) throws(StoreError) -> Int64
  /// Updates the mutable properties of an alert.
  /// - Throws: `missing` if there is no such alert.
  func update(_ alert: AlertRow) throws(StoreError)
  /// Makes alerts due whose due time was computed from a time after `moment`. Called when the wall
  /// clock was set back to `moment`, in Unix milliseconds.
  func hasten(at moment: Int64) throws(StoreError)
  /// Stores the position of a query of a rule and replaces the former one.
  func set(_ position: RulePositionRow) throws(StoreError)
  /// Removes the position of a query of a rule.
  func removeRulePosition(_ rule: String, trigger: String) throws(StoreError)
  /// Adds a line to the history of an alert.
  func append(_ step: AlertStep) throws(StoreError)
  /// Removes at most `limit` alerts that were resolved before a time, with their history. The
  /// newest alert may be kept.
  /// - Returns: the number of removed alerts.
  func remove(closedBefore moment: Int64, limit: Int) throws(StoreError) -> Int
  /// Removes resolved alerts with their history, except the `most` latest ones. It removes at most
  /// `limit` of them. The newest alert may be kept.
  /// - Returns: the number of removed alerts.
  func remove(closedBeyond most: Int, limit: Int) throws(StoreError) -> Int
}
