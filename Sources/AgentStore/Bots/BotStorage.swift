/// Reads bots.
public protocol BotReader: AnyObject {
  /// Calls `body` with each bot, ordered by id. Only one row is in memory at a time.
  func forEachBot(_ body: (BotRow) throws(StoreError) -> Void) throws(StoreError)
  /// Returns a bot, or `nil` if there is none with this id.
  func bot(_ id: String) throws(StoreError) -> BotRow?
  /// Returns the name of the chosen strategy, or `nil` if none was chosen.
  func strategy() throws(StoreError) -> String?
}

extension BotReader {
  /// Returns all bots, ordered by id. Use it only for few bots, because all rows are in memory.
  public func bots() throws(StoreError) -> [BotRow] {
    var bots: [BotRow] = []
    try forEachBot { bots.append($0) }
    return bots
  }
}

/// Writes bots.
public protocol BotStorage: BotReader {
  /// Adds or replaces a bot.
  func put(_ bot: BotRow) throws(StoreError)
  /// Removes a bot. Its assignments are kept.
  /// - Returns: false if there was no such bot.
  @discardableResult
  func remove(_ id: String) throws(StoreError) -> Bool
  /// Stores the chosen strategy and replaces the former one.
  func choose(strategy: String) throws(StoreError)
}

/// Reads assignments.
public protocol AssignmentReader: AnyObject {
  /// Returns an assignment, or `nil` if there is none with this number.
  func assignment(_ id: Int64) throws(StoreError) -> AssignmentRow?
  /// Returns the assignment of a lease, or `nil` if there is none.
  func assignment(task: Int64, attempt: Int64) throws(StoreError) -> AssignmentRow?
  /// Returns the numbers after `id` of a bot's assignments without a response, the oldest first.
  func offers(to bot: String, after id: Int64, limit: Int) throws(StoreError) -> [Int64]
  /// Returns a page of selected assignments, the newest first.
  func page(_ selection: AssignmentSelection) throws(StoreError) -> AssignmentPage
  /// Returns the assignments that haven't ended, ordered by number.
  func openAssignments() throws(StoreError) -> [AssignmentRow]
  /// Returns the numbers of a bot's assignments by state, or of all bots if `bot` is `nil`.
  func statistics(bot: String?) throws(StoreError) -> [AssignmentStatistics]
  /// Returns the executions of a step for every task that has any.
  func escalations(step: Int64) throws(StoreError) -> [EscalationRow]
  /// Returns the executions of each step of a task's escalation, ordered by step.
  func escalations(of task: Int64) throws(StoreError) -> [EscalationRow]
}

extension AssignmentReader {
  /// Returns the selected assignments, the newest first.
  public func assignments(
    _ selection: AssignmentSelection
  ) throws(StoreError) -> [AssignmentRow] {
    try page(selection).rows
  }
}

/// Writes assignments.
public protocol AssignmentStorage: AssignmentReader {
  /// Adds an assignment.
  /// - Returns: its number.
  /// - Throws: `conflict` if the lease has an assignment.
  @discardableResult
  func insert(_ assignment: AssignmentRow) throws(StoreError) -> Int64
  /// Updates the state, the times, the result and the note.
  /// - Throws: `missing` if there is no such assignment.
  func update(_ assignment: AssignmentRow) throws(StoreError)
  /// Stores the executions of a step of an escalation.
  func put(_ escalation: EscalationRow) throws(StoreError)
  /// Removes assignments that ended before a time, and escalations of removed tasks that were last
  /// executed before it. It removes at most `limit` of each and always keeps the newest assignment.
  /// - Returns: the number of removed rows of both kinds. Call again until it is 0.
  @discardableResult
  func removeAssignments(endedBefore moment: Int64, limit: Int) throws(StoreError) -> Int
}
