/// Alerts, and the notices about them.
extension SQLiteSchema {
  static let alerts: [StaticString] = [
    """
    CREATE TABLE alerts (
      id INTEGER PRIMARY KEY,
      rule TEXT NOT NULL,
      key TEXT NOT NULL,
      topic TEXT NOT NULL,
      state TEXT NOT NULL,
      severity TEXT NOT NULL,
      title TEXT NOT NULL,
      text TEXT NOT NULL,
      count INTEGER NOT NULL,
      event BLOB NOT NULL,
      opened INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      notified INTEGER,
      pending TEXT,
      due INTEGER,
      closed INTEGER
    ) STRICT
    """,
    "CREATE UNIQUE INDEX alerts_current ON alerts (rule, key) WHERE closed IS NULL",
    "CREATE INDEX alerts_topic ON alerts (rule, topic) WHERE closed IS NULL",
    "CREATE INDEX alerts_due ON alerts (due) WHERE due IS NOT NULL",
    "CREATE INDEX alerts_closed ON alerts (closed) WHERE closed IS NOT NULL",
    """
    CREATE TABLE alert_steps (
      id INTEGER PRIMARY KEY,
      alert INTEGER NOT NULL,
      timestamp INTEGER NOT NULL,
      what TEXT NOT NULL,
      actor TEXT NOT NULL,
      note TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX alert_steps_alert ON alert_steps (alert)",
    """
    CREATE TABLE deliveries (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      alert INTEGER,
      notifier TEXT NOT NULL,
      kind TEXT NOT NULL,
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      next INTEGER NOT NULL,
      created INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      error TEXT,
      notice BLOB NOT NULL
    ) STRICT
    """,
    "CREATE INDEX deliveries_alert ON deliveries (alert)",
    """
    CREATE INDEX deliveries_due ON deliveries (notifier, next)
      WHERE state IN ('queued', 'failed')
    """,
    """
    CREATE INDEX deliveries_ended ON deliveries (updated)
      WHERE state IN ('delivered', 'given_up')
    """,
  ]

  static let withoutAlerts: [StaticString] = [
    "DROP TABLE deliveries", "DROP TABLE alert_steps", "DROP TABLE alerts",
  ]
}
