/// Reads alerts.
public protocol AlertReading: AnyObject {
  /// One alert, or nil.
  func alert(_ id: Int64) throws(StoreError) -> AlertRow?
  /// The one of a rule and a key that isn't over, or nil.
  func current(rule: String, key: String) throws(StoreError) -> AlertRow?
  /// Those of a rule and a topic that aren't over, the oldest first.
  func current(rule: String, topic: String) throws(StoreError) -> [AlertRow]
  /// How many of a rule aren't over; counts no further than `most`.
  func countCurrent(rule: String, most: Int) throws(StoreError) -> Int
  /// Alerts of a selection, the newest first.
  func alerts(_ selection: AlertSelection) throws(StoreError) -> [AlertRow]
  /// An alert's history, the oldest line first.
  func history(_ alert: Int64) throws(StoreError) -> [AlertStep]
  /// How many there are in each state.
  func alertCounts() throws(StoreError) -> [AlertRow.State: Int]
  /// The earliest moment at which one is to be looked at; nil when none is.
  func nextDue() throws(StoreError) -> Int64?
  /// Those that are to be looked at by a moment, the earliest first.
  func due(by moment: Int64, limit: Int) throws(StoreError) -> [AlertRow]
}

/// Alerts.
public protocol AlertStorage: AlertReading {
  /// Adds one. Fails with `conflict` when there is one of this rule and key that isn't over.
  /// - Returns: its number.
  func insert(_ alert: AlertRow) throws(StoreError) -> Int64
  /// Changes what can change. Fails with `missing` when there is no such alert.
  func update(_ alert: AlertRow) throws(StoreError)
  /// The wall clock was set back to this moment: those that were to be looked at after a later one,
  /// because of a time that hasn't come yet, are due now.
  func hasten(at moment: Int64) throws(StoreError)
  /// Adds a line to an alert's history.
  func append(_ step: AlertStep) throws(StoreError)
  /// Removes alerts that were over before a moment, with their history; at most `limit`. The newest may stay.
  /// - Returns: how many.
  func remove(closedBefore moment: Int64, limit: Int) throws(StoreError) -> Int
  /// Removes alerts that are over, the oldest first, beyond so many, with their history; at most
  /// `limit`. The newest may stay.
  /// - Returns: how many.
  func remove(closedBeyond most: Int, limit: Int) throws(StoreError) -> Int
}
