/// Reads bots.
public protocol BotReader: AnyObject {
  /// Calls `body` with each bot, by id. One row is in memory at a time.
  func forEachBot(_ body: (BotRow) throws(StoreError) -> Void) throws(StoreError)
  /// One bot, or nil.
  func bot(_ id: String) throws(StoreError) -> BotRow?
  /// The name of the strategy that was chosen; nil where none was.
  func strategy() throws(StoreError) -> String?
}

extension BotReader {
  /// All bots, by id. For a few only: each is in memory as a whole.
  public func bots() throws(StoreError) -> [BotRow] {
    var bots: [BotRow] = []
    try forEachBot { bots.append($0) }
    return bots
  }
}

/// Writes bots.
public protocol BotStorage: BotReader {
  /// Adds a bot, or changes it.
  func put(_ bot: BotRow) throws(StoreError)
  /// Removes a bot; its assignments stay.
  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ id: String) throws(StoreError) -> Bool
  /// Chooses the strategy, in place of the one before.
  func choose(strategy: String) throws(StoreError)
}

/// Reads assignments.
public protocol AssignmentReader: AnyObject {
  /// One assignment, or nil.
  func assignment(_ id: Int64) throws(StoreError) -> AssignmentRow?
  /// The assignment of a lease, or nil.
  func assignment(task: Int64, attempt: Int64) throws(StoreError) -> AssignmentRow?
  /// The numbers of a bot's assignments that it hasn't answered, after a number, the oldest first.
  func offers(to bot: String, after id: Int64, limit: Int) throws(StoreError) -> [Int64]
  /// A page of the assignments of a selection, the newest first.
  func page(_ selection: AssignmentSelection) throws(StoreError) -> AssignmentPage
  /// The assignments that have not ended, by number.
  func openAssignments() throws(StoreError) -> [AssignmentRow]
  /// The numbers of a bot's assignments by state; nil for those of all bots.
  func statistics(bot: String?) throws(StoreError) -> [AssignmentStatistics]
  /// How often a step was done, for every task for which that is stored.
  func escalations(step: Int64) throws(StoreError) -> [EscalationRow]
  /// How often each step of a task's escalation was done, by step.
  func escalations(of task: Int64) throws(StoreError) -> [EscalationRow]
}

extension AssignmentReader {
  /// The assignments of a selection, the newest first.
  public func assignments(
    _ selection: AssignmentSelection
  ) throws(StoreError) -> [AssignmentRow] {
    try page(selection).rows
  }
}

/// Writes assignments.
public protocol AssignmentStorage: AssignmentReader {
  /// Adds an assignment. Fails with `conflict` when there is one of this lease.
  /// - Returns: its number.
  @discardableResult
  func insert(_ assignment: AssignmentRow) throws(StoreError) -> Int64
  /// Changes state, times, result and note. Fails with `missing` when there is no such assignment.
  func update(_ assignment: AssignmentRow) throws(StoreError)
  /// Notes how often a step of an escalation was done.
  func put(_ escalation: EscalationRow) throws(StoreError)
  /// Removes assignments that ended before a moment, and escalations last done before it whose
  /// tasks are gone: at most `limit` of each. The newest assignment stays in any case.
  /// - Returns: how many of both were removed; call again until it is 0.
  @discardableResult
  func removeAssignments(endedBefore moment: Int64, limit: Int) throws(StoreError) -> Int
}
