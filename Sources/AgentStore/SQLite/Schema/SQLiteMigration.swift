/// A migration of the tables, which runs once on each file.
struct SQLiteMigration {
  /// The number, from 1, without gaps. After the migration, `PRAGMA user_version` contains it.
  let number: Int64
  /// The purpose as a noun phrase, for messages.
  let title: String
  /// The statements that change the tables of the former version to this one.
  let forwards: [StaticString]
  /// The statements that revert the migration; `nil` if it is irreversible.
  let backwards: [StaticString]?

  static let all = [
    SQLiteMigration(
      number: 1, title: "Events, consumers and state", forwards: SQLiteSchema.first,
      backwards: SQLiteSchema.withoutFirst),
    SQLiteMigration(
      number: 2, title: "Tokens, users and the audit log", forwards: SQLiteSchema.access,
      backwards: SQLiteSchema.withoutAccess),
    SQLiteMigration(
      number: 3, title: "Alerts and the notices about them", forwards: SQLiteSchema.alerts,
      backwards: SQLiteSchema.withoutAlerts),
    SQLiteMigration(
      number: 4, title: "Answers to requests with idempotency keys",
      forwards: SQLiteSchema.idempotencyKeys,
      backwards: SQLiteSchema.withoutReplies),
    SQLiteMigration(
      number: 5, title: "Tasks", forwards: SQLiteSchema.tasks,
      backwards: SQLiteSchema.withoutTasks),
    SQLiteMigration(
      number: 6, title: "Bots and what they were given", forwards: SQLiteSchema.bots,
      backwards: SQLiteSchema.withoutBots),
    SQLiteMigration(
      number: 7, title: "Schedules", forwards: SQLiteSchema.schedules,
      backwards: SQLiteSchema.withoutSchedules),
    SQLiteMigration(
      number: 8, title: "Attempts of tasks that nobody saw the end of",
      forwards: SQLiteSchema.lostAttempts, backwards: SQLiteSchema.withoutLostAttempts),
    SQLiteMigration(
      number: 9, title: "Notices of one alert in their order",
      forwards: SQLiteSchema.deliveryOrder, backwards: SQLiteSchema.withoutDeliveryOrder),
    SQLiteMigration(
      number: 10, title: "What a start, a bot that goes and an escalation look for",
      forwards: SQLiteSchema.taskCare, backwards: SQLiteSchema.withoutTaskCare),
    SQLiteMigration(
      number: 11, title: "Where the audit log was cut off", forwards: SQLiteSchema.auditCut,
      backwards: SQLiteSchema.withoutAuditCut),
    SQLiteMigration(
      number: 12, title: "What lists of tasks choose by, and numbers of alerts and notices",
      forwards: SQLiteSchema.taskLists + SQLiteSchema.alertCounts,
      backwards: SQLiteSchema.withoutAlertCounts + SQLiteSchema.withoutTaskLists),
    SQLiteMigration(
      number: 13, title: "How the clock stood when the host was there last",
      forwards: SQLiteSchema.clockMark, backwards: SQLiteSchema.withoutClockMark),
    SQLiteMigration(
      number: 14, title: "How many bytes answers to requests with idempotency keys take",
      forwards: SQLiteSchema.replySize, backwards: SQLiteSchema.withoutReplySize),
    SQLiteMigration(
      number: 15, title: "What the owners of bots may have done, and the bytes of open tasks",
      forwards: SQLiteSchema.botAuthority + SQLiteSchema.taskBytes,
      backwards: SQLiteSchema.withoutTaskBytes + SQLiteSchema.withoutBotAuthority),
    SQLiteMigration(
      number: 16, title: "How far the queries of rules for alerts have come",
      forwards: SQLiteSchema.rulePositions, backwards: SQLiteSchema.withoutRulePositions),
    SQLiteMigration(
      number: 17, title: "What a bot that asks and the numbers of schedules look for",
      forwards: SQLiteSchema.openWork, backwards: SQLiteSchema.withoutOpenWork),
    SQLiteMigration(
      number: 18, title: "Claims of the attempts that the host runs",
      forwards: SQLiteSchema.claims, backwards: SQLiteSchema.withoutClaims),
    SQLiteMigration(
      number: 19, title: "Numbers of tasks and assignments only for what exists",
      forwards: SQLiteSchema.fewerCounts, backwards: SQLiteSchema.withoutFewerCounts),
    SQLiteMigration(
      number: 20, title: "The bytes of ended tasks, logs and artifacts",
      forwards: SQLiteSchema.taskSizes, backwards: SQLiteSchema.withoutTaskSizes),
    SQLiteMigration(
      number: 21, title: "The newest event of each type, and the assignments of all bots",
      forwards: SQLiteSchema.newestEvents + SQLiteSchema.assignmentTotals,
      backwards: SQLiteSchema.withoutAssignmentTotals + SQLiteSchema.withoutNewestEvents),
  ]
}
