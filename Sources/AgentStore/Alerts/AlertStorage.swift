/// Reads alerts.
public protocol AlertReader: AnyObject {
  /// One alert, or nil.
  func alert(_ id: Int64) throws(StoreError) -> AlertRow?
  /// The alert of a rule and a key that isn't resolved, or nil.
  func current(rule: String, key: String) throws(StoreError) -> AlertRow?
  /// The alerts of a rule and a topic that aren't resolved, the oldest first.
  func current(rule: String, topic: String) throws(StoreError) -> [AlertRow]
  /// How many alerts of a rule aren't resolved; counts no further than `most`.
  func countCurrent(rule: String, most: Int) throws(StoreError) -> Int
  /// Alerts of a selection, the newest first.
  func alerts(_ selection: AlertSelection) throws(StoreError) -> [AlertRow]
  /// An alert's history, the oldest line first.
  func history(_ alert: Int64) throws(StoreError) -> [AlertStep]
  /// How many alerts are in each state.
  func alertCounts() throws(StoreError) -> [AlertRow.State: Int]
  /// The earliest moment at which an alert is due, in Unix milliseconds; nil when none is.
  func nextDue() throws(StoreError) -> Int64?
  /// The alerts that are due by a moment, the earliest first.
  func due(by moment: Int64, limit: Int) throws(StoreError) -> [AlertRow]
  /// How far the queries of rules have come, sorted by rule and trigger.
  func rulePositions() throws(StoreError) -> [RulePositionRow]
  /// How far one query of a rule has come; nil when that isn't known.
  func rulePosition(_ rule: String, trigger: String) throws(StoreError) -> RulePositionRow?
}

/// Writes alerts.
public protocol AlertStorage: AlertReader {
  /// Adds an alert. Fails with `conflict` when there is one of this rule and key that isn't
  /// resolved.
  /// - Returns: its number.
  func insert(_ alert: AlertRow) throws(StoreError) -> Int64
  /// Writes what can change of an alert. Fails with `missing` when there is no such alert.
  func update(_ alert: AlertRow) throws(StoreError)
  /// Called when the wall clock was set back to this moment. Alerts whose due time was counted from
  /// a moment that hasn't come yet are due now.
  func hasten(at moment: Int64) throws(StoreError)
  /// Writes how far a query of a rule has come, in place of what is there.
  func set(_ position: RulePositionRow) throws(StoreError)
  /// Forgets how far a query of a rule has come.
  func removeRulePosition(_ rule: String, trigger: String) throws(StoreError)
  /// Adds a line to an alert's history.
  func append(_ step: AlertStep) throws(StoreError)
  /// Removes alerts that were resolved before a moment, with their history, at most `limit`. The
  /// newest may stay.
  /// - Returns: how many were removed.
  func remove(closedBefore moment: Int64, limit: Int) throws(StoreError) -> Int
  /// Keeps the `most` alerts that were resolved last, and removes the others with their history, at
  /// most `limit` of them. The newest may stay.
  /// - Returns: how many were removed.
  func remove(closedBeyond most: Int, limit: Int) throws(StoreError) -> Int
}
