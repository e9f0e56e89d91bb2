/// Reads bots.
public protocol BotReading: AnyObject {
  /// All of them, by id.
  func bots() throws(StoreError) -> [BotRow]
  /// One of them, or nil.
  func bot(_ id: String) throws(StoreError) -> BotRow?
  /// The name of the strategy that was chosen; nil where nobody has chosen.
  func strategy() throws(StoreError) -> String?
}

/// Bots.
public protocol BotStorage: BotReading {
  /// Adds a bot, or changes it.
  func put(_ bot: BotRow) throws(StoreError)
  /// Removes a bot; its assignments stay.
  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ id: String) throws(StoreError) -> Bool
  /// Chooses a strategy.
  func choose(strategy: String) throws(StoreError)
}

/// Reads assignments.
public protocol AssignmentReading: AnyObject {
  /// One of them, or nil.
  func assignment(_ id: Int64) throws(StoreError) -> AssignmentRow?
  /// That of a lease, or nil.
  func assignment(task: Int64, attempt: Int64) throws(StoreError) -> AssignmentRow?
  /// Those of a selection, the newest first.
  func assignments(_ selection: AssignmentSelection) throws(StoreError) -> [AssignmentRow]
  /// Those that have not ended, by number.
  func openAssignments() throws(StoreError) -> [AssignmentRow]
  /// What has become of a bot's assignments, or of all.
  func figures(bot: String?) throws(StoreError) -> [AssignmentFigure]
  /// How often a step was done, of every task of which that is stored.
  func escalations(step: Int64) throws(StoreError) -> [EscalationRow]
  /// What was done so far of a task's escalation, by step.
  func escalations(of task: Int64) throws(StoreError) -> [EscalationRow]
}

/// Assignments.
public protocol AssignmentStorage: AssignmentReading {
  /// Adds an assignment. Fails with `conflict` when there is one of this lease.
  /// - Returns: its number.
  @discardableResult
  func insert(_ assignment: AssignmentRow) throws(StoreError) -> Int64
  /// Changes state, times, result and note. Fails with `missing` when there is no such assignment.
  func update(_ assignment: AssignmentRow) throws(StoreError)
  /// Notes how often a step of an escalation was done.
  func put(_ escalation: EscalationRow) throws(StoreError)
  /// Removes assignments that ended before a moment, and the escalations of their tasks; at most
  /// `limit`. The newest stays in any case.
  /// - Returns: how many.
  @discardableResult
  func removeAssignments(endedBefore moment: Int64, limit: Int) throws(StoreError) -> Int
}
