/// The transaction of a group, on the writer's connection and thread. It lives as long as the
/// connection. The group begins and ends the transactions.
final class SQLiteTransaction: StoreTransaction {
  let events: any EventStorage
  let consumers: any ConsumerStorage
  let state: any StateStorage
  let tokens: any TokenStorage
  let users: any UserStorage
  let audit: any AuditStorage
  let alerts: any AlertStorage
  let deliveries: any DeliveryStorage
  let idempotencyKeys: any IdempotencyKeyStorage
  let tasks: any TaskStorage
  let bots: any BotStorage
  let assignments: any AssignmentStorage
  let schedules: any ScheduleStorage
  private let log: SQLiteEventWriter
  private let work: SQLiteTasks
  private var actions: [@Sendable () -> Void] = []

  init(_ session: SQLiteSession, limits: StateLimits) {
    log = SQLiteEventWriter(session)
    events = log
    consumers = SQLiteConsumers(session)
    state = SQLiteStateWriter(session, limits: limits)
    tokens = SQLiteTokens(session)
    users = SQLiteUsers(session)
    audit = SQLiteAudit(session)
    alerts = SQLiteAlerts(session)
    deliveries = SQLiteDeliveries(session)
    idempotencyKeys = SQLiteIdempotencyKeys(session)
    work = SQLiteTasks(session)
    tasks = work
    bots = SQLiteBots(session)
    assignments = SQLiteAssignments(session)
    schedules = SQLiteSchedules(session)
  }

  func afterCommit(_ action: @escaping @Sendable () -> Void) { actions.append(action) }

  /// The pending changes at the start of a write. They are restored if the write fails.
  struct Mark {
    fileprivate let pending: SQLiteEventWriter.Pending
    fileprivate let tasks: SQLiteTasks.Pending
    fileprivate let actions: Int
  }

  var mark: Mark { Mark(pending: log.pending, tasks: work.pending, actions: actions.count) }

  func rolledBack(to mark: Mark) {
    log.rolledBack(to: mark.pending)
    work.rolledBack(to: mark.tasks)
    actions.removeLast(max(0, actions.count - mark.actions))
  }

  func rolledBack() {
    log.rolledBack()
    work.rolledBack()
    actions = []
  }

  /// Writes the changes that are collected for each transaction. Called before the commit.
  func flush() throws(StoreError) {
    try log.flush()
    try work.flush()
  }

  /// Returns and removes the actions that are called when the write that has just run is durable.
  func takeActions() -> [@Sendable () -> Void] {
    defer { actions = [] }
    return actions
  }

  /// Clears the pending changes. Called after the commit.
  func committed() {
    log.committed()
    work.committed()
  }
}

/// The snapshot of a read, on a reader's connection and thread.
final class SQLiteSnapshot: StoreSnapshot {
  let events: any EventReader
  let consumers: any ConsumerReader
  let state: any StateReader
  let tokens: any TokenReader
  let users: any UserReader
  let audit: any AuditReader
  let alerts: any AlertReader
  let deliveries: any DeliveryReader
  let idempotencyKeys: any IdempotencyKeyReader
  let tasks: any TaskReader
  let bots: any BotReader
  let assignments: any AssignmentReader
  let schedules: any ScheduleReader

  init(_ session: SQLiteSession, limits: StateLimits) {
    events = SQLiteEventReader(session)
    consumers = SQLiteConsumers(session)
    state = SQLiteStateReader(session, limits: limits)
    tokens = SQLiteTokens(session)
    users = SQLiteUsers(session)
    audit = SQLiteAudit(session)
    alerts = SQLiteAlerts(session)
    deliveries = SQLiteDeliveries(session)
    idempotencyKeys = SQLiteIdempotencyKeys(session)
    tasks = SQLiteTaskReader(session)
    bots = SQLiteBots(session)
    assignments = SQLiteAssignments(session)
    schedules = SQLiteScheduleReader(session)
  }
}
