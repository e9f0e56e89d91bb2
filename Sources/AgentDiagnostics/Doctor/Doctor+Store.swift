internal import AgentEvents
package import AgentJSON
internal import AgentModules
internal import AgentSettings
package import AgentStore
internal import AgentSystem

/// Checks of the database and of the log of events.
extension Doctor {
  func database() async -> [DoctorFinding] {
    guard FileSystem.exists(folder.store) else {
      return [
        DoctorFinding("database", .ok, sentence: "There is none yet; the first start creates it.")
      ]
    }
    let store: JSONValue
    // A running host reports null while its database isn't open, as in a safe mode without one. The
    // file can be examined anyway.
    if let stored = diagnostics?["store"], stored != .null {
      store = stored
    } else {
      store = await FolderDiagnostics(folder, redactor: settings.redactor).store(checking: true)
    }
    return Self.database(store, folder.store)
  }

  /// - Parameter store: the database, as in checked diagnostics.
  static func database(_ store: JSONValue, _ path: String) -> [DoctorFinding] {
    let restore =
      "Stop the agent, keep a copy of \(path) with its -wal, and restore a backup (docs/store.md)."
    if let problem = store["condition"]?["problem"]?.string ?? store["problem"]?.string {
      let state = store["condition"]?["state"]?.string ?? store["state"]?.string
      let remedy = remedy(of: state, restore: restore)
      return [DoctorFinding("database", .problem, sentence: problem, remedy: remedy)]
    }
    var findings: [DoctorFinding] = []
    if let damages = store["integrity"]?.array, let first = damages.first?.string {
      let more = damages.count > 1 ? " (and \(damages.count - 1) more)" : ""
      findings.append(
        DoctorFinding(
          "database", .problem, sentence: "\(path) is damaged: \(first)\(more)", remedy: restore))
    }
    let (tables, latest) = (store["tables"]?.int ?? 0, store["latest_tables"]?.int ?? 0)
    // A lower number is no problem, because the next start migrates the tables.
    if tables > latest {
      findings.append(
        DoctorFinding(
          "database", .problem,
          sentence:
            "\(path) was written by a newer version: its tables have number \(tables), this one knows "
            + "\(latest).", remedy: "Install that version, or restore a backup."))
    }
    findings += (store["rows"]?.array ?? []).map(Self.row)
    if let mode = store["journal_mode"]?.string, mode != "wal" {
      findings.append(
        DoctorFinding(
          "database", .warning,
          sentence: "Its journal mode is \(mode), not wal: another program changed it.",
          remedy: "The next start sets it; keep other programs from writing to \(path)."))
    }
    if let log = store["log_bytes"]?.int, log > 1 << 30 {
      findings.append(
        DoctorFinding(
          "database", .warning,
          sentence:
            "The log of recent changes has \(ByteText.of(log)): a reader prevents a checkpoint.",
          remedy: "Look for a query or a backup that doesn't end: agent diagnostics --json."))
    }
    let size = ByteText.of(
      Int64(store["pages"]?.int ?? 0).multiplied(Int64(store["page_bytes"]?.int ?? 0)))
    return findings.or("database", "It is sound; \(size).")
  }

  /// Returns the finding for a row that can't be read.
  private static func row(_ row: JSONValue) -> DoctorFinding {
    let (table, id) = (row["table"]?.string ?? "", row["id"]?.string ?? "")
    let remedy =
      switch table {
      case "tasks":
        "Look at it (agent task show \(id)), then remove it (agent task delete \(id)). If the "
          + "agent doesn't stay up, run agent start --safe first."
      case "bots": "Unregister it (agent bot unregister \(id)), and register it again."
      default: "Remove it (agent schedule delete \(id)), and create it again."
      }
    return DoctorFinding(
      "database:\(table)", .problem,
      sentence:
        "In the table \(table) the row \(id) can't be read: its \(row["reason"]?.string ?? "").",
      remedy: remedy)
  }

  /// Returns the remedy. It advises a backup only for a damaged file. If the disk is full or fails
  /// for a while, a backup would lose all newer data.
  private static func remedy(of state: String?, restore: String) -> String {
    switch state {
    case "CORRUPT": restore
    case "FULL":
      "Make room on the disk, or raise store.max_bytes; the agent then continues by itself."
    default:
      "Leave the file where it is, and check the disk and the system's log; a running agent "
        + "retries by itself."
    }
  }

  // MARK: Events

  func eventLog() async -> [DoctorFinding] {
    guard let events = settings.settings?.events, FileSystem.exists(folder.store) else { return [] }
    var types = diagnostics?["events"]?["types"]?.array ?? []
    if case .stopped = host {
      // The check of the database reports a file that can't be read.
      let found = (try? await StoreFile.eventTypes(of: folder)) ?? []
      types = found.map(EventTypeText.json)
    }
    let consumers = diagnostics?["events"]?["consumers"]?.array ?? []
    return Self.eventLog(types, consumers: consumers, settings: events, now: Timestamp.now())
  }

  /// Returns types with more events than the settings allow. Events are removed every minute and in
  /// steps, so up to a fifth more is normal.
  static func eventLog(
    _ types: [JSONValue], consumers: [JSONValue], settings: EventSettings, now: Int64
  ) -> [DoctorFinding] {
    // Events that a durable consumer hasn't read aren't removed, so the slowest consumer is the
    // cause.
    let slowest = consumers.max { ($0["behind"]?.int ?? 0) < ($1["behind"]?.int ?? 0) }
    let holder = slowest.flatMap { consumer -> String? in
      guard let behind = consumer["behind"]?.int, behind > 0 else { return nil }
      return "the durable consumer \(consumer["name"]?.string ?? "?") is \(behind) behind"
    }
    let findings = types.compactMap { summary -> DoctorFinding? in
      let type = summary["type"]?.string ?? ""
      guard let excess = excess(of: summary, settings.retention(of: type), now: now) else {
        return nil
      }
      return DoctorFinding(
        "events:\(type)", .warning,
        sentence: "\(excess), more than events.retention allows"
          + (holder.map { ": \($0)." } ?? "."),
        remedy: holder == nil
          ? "The running agent removes it, every minute; \"agent logs agent\" shows any failure."
          : "Let it catch up, or delete it: agent events forget NAME")
    }
    return findings.or("events", "The log of events is within its limits.")
  }

  private static func excess(
    of summary: JSONValue, _ limits: EventSettings.Retention, now: Int64
  ) -> String? {
    let type = summary["type"]?.string ?? ""
    if let most = limits.maxBytes, let bytes = summary["bytes"]?.int,
      Int64(bytes) > withSlack(most)
    {
      return "Events of the type \(type) have \(ByteText.of(bytes))"
    }
    if let most = limits.maxEvents, let count = summary["count"]?.int,
      Int64(count) > withSlack(most).adding(1000)
    {
      return "There are \(count) events of the type \(type)"
    }
    if let days = limits.maxAgeDays, let first = summary["first"]?.int {
      let age = now.subtracting(Int64(first)) / 86_400_000
      if Double(age) > days + 1 {
        return "The oldest event of the type \(type) is \(age) days old"
      }
    }
    return nil
  }

  /// Returns a limit and a fifth of it. The settings may have any number.
  private static func withSlack(_ limit: Int) -> Int64 {
    Int64(limit).adding(Int64(limit) / 5)
  }
}

/// A type of the log of events as JSON.
package enum EventTypeText {
  package static func json(_ summary: EventTypeSummary) -> JSONValue {
    [
      "type": .string(summary.type), "count": JSONValue(summary.count),
      "bytes": JSONValue(summary.bytes), "first": summary.first.map { JSONValue($0) } ?? .null,
      "last": summary.last.map { JSONValue($0) } ?? .null,
    ]
  }
}
