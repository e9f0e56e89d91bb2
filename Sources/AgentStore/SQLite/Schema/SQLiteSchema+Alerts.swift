/// The tables of alerts and of their notices.
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
    // Partial indexes contain only the rows that their queries need. Nearly all alerts are resolved
    // and cost nothing in the first two.
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

  /// An index that finds the former notices of an alert without a scan of all deliveries. SQLite
  /// uses it only for statements that repeat its list of states.
  static let deliveryOrder: [StaticString] = [
    """
    CREATE INDEX deliveries_open ON deliveries (alert, notifier, id)
      WHERE state IN ('queued', 'sending', 'failed')
    """
  ]

  static let withoutDeliveryOrder: [StaticString] = ["DROP INDEX deliveries_open"]

  /// Triggers that count alerts and notices, so that a count needs no scan.
  static let alertCounts: [StaticString] = [
    """
    CREATE TABLE alert_counts (
      state TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    // Run once, for the rows of a file of a former version. After that, the triggers update the
    // counts.
    "INSERT INTO alert_counts SELECT state, count(*) FROM alerts GROUP BY state",
    """
    CREATE TRIGGER alerts_insert AFTER INSERT ON alerts BEGIN
      INSERT INTO alert_counts VALUES (new.state, 1)
      ON CONFLICT (state) DO UPDATE SET count = count + 1;
    END
    """,
    """
    CREATE TRIGGER alerts_update AFTER UPDATE OF state ON alerts
    WHEN old.state <> new.state BEGIN
      UPDATE alert_counts SET count = count - 1 WHERE state = old.state;
      INSERT INTO alert_counts VALUES (new.state, 1)
      ON CONFLICT (state) DO UPDATE SET count = count + 1;
    END
    """,
    """
    CREATE TRIGGER alerts_delete AFTER DELETE ON alerts BEGIN
      UPDATE alert_counts SET count = count - 1 WHERE state = old.state;
    END
    """,
    """
    CREATE TABLE delivery_counts (
      notifier TEXT NOT NULL,
      state TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (notifier, state)
    ) STRICT, WITHOUT ROWID
    """,
    """
    INSERT INTO delivery_counts
    SELECT notifier, state, count(*) FROM deliveries GROUP BY notifier, state
    """,
    """
    CREATE TRIGGER deliveries_insert AFTER INSERT ON deliveries BEGIN
      INSERT INTO delivery_counts VALUES (new.notifier, new.state, 1)
      ON CONFLICT (notifier, state) DO UPDATE SET count = count + 1;
    END
    """,
    """
    CREATE TRIGGER deliveries_update AFTER UPDATE OF state ON deliveries
    WHEN old.state <> new.state BEGIN
      UPDATE delivery_counts SET count = count - 1
      WHERE notifier = old.notifier AND state = old.state;
      INSERT INTO delivery_counts VALUES (new.notifier, new.state, 1)
      ON CONFLICT (notifier, state) DO UPDATE SET count = count + 1;
    END
    """,
    """
    CREATE TRIGGER deliveries_delete AFTER DELETE ON deliveries BEGIN
      UPDATE delivery_counts SET count = count - 1
      WHERE notifier = old.notifier AND state = old.state;
      DELETE FROM delivery_counts
      WHERE notifier = old.notifier AND state = old.state AND count <= 0;
    END
    """,
  ]

  static let withoutAlertCounts: [StaticString] = [
    "DROP TRIGGER deliveries_delete", "DROP TRIGGER deliveries_update",
    "DROP TRIGGER deliveries_insert", "DROP TABLE delivery_counts",
    "DROP TRIGGER alerts_delete", "DROP TRIGGER alerts_update", "DROP TRIGGER alerts_insert",
    "DROP TABLE alert_counts",
  ]

  /// A row for each query of a rule. It is written together with the changes that the query's rows
  /// cause.
  static let rulePositions: [StaticString] = [
    """
    CREATE TABLE rule_positions (
      rule TEXT NOT NULL,
      trigger TEXT NOT NULL,
      query TEXT NOT NULL,
      mark TEXT,
      partial TEXT,
      taken BLOB NOT NULL,
      revision INTEGER NOT NULL,
      PRIMARY KEY (rule, trigger)
    ) STRICT, WITHOUT ROWID
    """
  ]

  static let withoutRulePositions: [StaticString] = ["DROP TABLE rule_positions"]
}
