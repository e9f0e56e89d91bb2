/// One step of the tables' history.
struct SQLiteMigration {
  /// From 1, without gaps; what `PRAGMA user_version` says afterwards.
  let number: Int64
  /// What it is for, as a sentence's subject.
  let title: String
  /// What makes the tables of this version of those before.
  let forwards: [StaticString]
  /// The way back; nil when there is none.
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
      number: 4, title: "Answers to requests with idempotency keys", forwards: SQLiteSchema.replies,
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
  ]
}
