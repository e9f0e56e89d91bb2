import GRDBSQLite
import Glibc
import Testing

@testable import AgentStore

/// The cost of statements doesn't depend on the number of rows: each is looked at as the
/// database would run it.
@Suite struct QueryPlanTests {
  /// Tables of which no statement may look at every row.
  private static let large = [
    "tasks", "events", "audit", "assignments", "task_logs", "task_artifacts", "schedule_fires",
    "alerts", "alert_steps", "deliveries", "bots", "idempotency_keys", "state", "state_history",
    "task_escalations", "schedules", "assignment_figures",
  ]

  /// Statements that may look at every row, by what they begin with or have in them, and why.
  private static let exceptions: [(part: String, reason: String)] = [
    ("WHERE 1 AND id < ?14", "goes down by number, and who reads it says how far"),
    ("SELECT * FROM bots ORDER BY id", "once, when the host starts"),
    ("FROM task_escalations WHERE step = ?", "once, when the host starts"),
    ("INSERT INTO alert_counts SELECT", "once, when the tables are updated"),
    ("INSERT INTO delivery_counts\nSELECT", "once, when the tables are updated"),
    ("INSERT INTO idempotency_keys_size\nSELECT", "once, when the tables are updated"),
    (
      "WITH chosen (id) AS",
      "the branch for lists that nothing narrows down; who reads them says how far"
    ),
    ("INSERT INTO assignment_figures\nSELECT", "once, when the tables are updated"),
    ("DELETE FROM assignment_figures WHERE count <= 0", "once, when the tables are updated"),
    ("INSERT INTO assignment_totals\nSELECT", "once, when the tables are updated"),
    ("INSERT INTO task_bytes\nSELECT", "once, when the tables are updated"),
    ("INSERT INTO task_sizes", "once, when the tables are updated"),
    ("sum(length(definition)), 0) FROM schedules", "once, when the host starts"),
    ("SET escalate_at = 0", "once, when the tables are updated"),
    ("FROM audit WHERE number >= ? ORDER BY number LIMIT 1", "the first row"),
    ("FROM audit WHERE number > ? ORDER BY number LIMIT ?", "a page"),
    ("FROM audit WHERE number <= (SELECT number FROM audit_cut)", "as many as are removed at once"),
    ("FROM audit WHERE number < ?1 ORDER BY number DESC", "who reads it says how far"),
    ("WHERE status IS NOT NULL ORDER BY created LIMIT 1", "the first row of an index"),
    ("FROM alerts\nWHERE id < ?1", "20,000 that are over are kept, and 1,000 open ones of a rule"),
    ("WHERE id < ?1 AND ?2 IS NULL AND (?3 IS NULL OR state = ?3)", "50,000 that ended are kept"),
    ("ORDER BY updated DESC LIMIT ?2 OFFSET ?1", "50,000 that ended are kept"),
    ("AND state = 'sending'", "once, when the host starts or a claim has failed, of what waits"),
    ("UPDATE deliveries SET next = ?1, updated = ?1", "when the clock is set back, of what waits"),
    ("FROM assignments WHERE id < ?1 AND ?3 IS NULL", "who reads it says how far"),
    ("FROM assignments WHERE ended IS NULL ORDER BY id", "once, when the host starts"),
    ("FROM schedules WHERE id > ?1 ORDER BY id", "who reads it says how far"),
    ("SELECT id, state FROM tasks WHERE id > ? ORDER BY id LIMIT ?", "a page"),
    ("SELECT queue_key, count(*), min(rank) FROM tasks", "once, when the host starts"),
    ("length(definition), creator\nFROM task_rows WHERE id > ?", "a page"),
  ]

  @Test func `no statement scans a table that grows`() throws {
    let (plans, _) = try Self.plans()
    var wrong: [String] = []
    for (statement, lines) in plans where !Self.isException(statement) {
      for line in lines where Self.isScan(line, in: statement) {
        wrong.append("\(line): \(statement.prefix(300))")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n\n"))")
  }

  @Test func `every exception is about a scan of a statement`() throws {
    let (plans, _) = try Self.plans()
    let scans = plans.filter { statement, lines in
      lines.contains { Self.isScan($0, in: statement) }
    }
    let idle = Self.exceptions.filter { exception in
      !scans.contains { $0.0.contains(exception.part) }
    }
    #expect(idle.isEmpty, "\(idle)")
  }

  /// A scan by an index and a search by a number that is bounded on one side only look at every row,
  /// too. A statement may have another name for a table.
  @Test func `a scan is recognized however the database words it`() {
    let statement = "SELECT * FROM deliveries AS d"
    for line in [
      "SCAN d", "SCAN d USING INDEX deliveries_due", "SCAN tasks USING COVERING INDEX tasks_type",
      "SEARCH audit USING INTEGER PRIMARY KEY (rowid<?)",
      "SEARCH d USING INTEGER PRIMARY KEY (rowid>?)",
    ] { #expect(Self.isScan(line, in: statement), "\(line)") }
    for line in [
      "SCAN e", "SCAN json_each VIRTUAL TABLE INDEX 1:",
      "SEARCH audit USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH audit USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
      "SEARCH d USING INDEX deliveries_due (notifier=?)",
    ] { #expect(!Self.isScan(line, in: statement), "\(line)") }
  }

  private static func isScan(_ line: String, in statement: String) -> Bool {
    let words = line.split(separator: " ").map(String.init)
    guard words.count > 1, names(in: statement).contains(words[1]) else { return false }
    return words[0] == "SCAN"
      || ["(rowid<?)", "(rowid>?)"].contains { line.hasSuffix("USING INTEGER PRIMARY KEY \($0)") }
  }

  /// The names by which a statement may speak of large tables.
  private static func names(in statement: String) -> [String] {
    let words = statement.split { $0 == " " || $0 == "\n" }.map(String.init)
    let others = words.indices.dropLast(2).filter {
      large.contains(words[$0]) && words[$0 + 1] == "AS"
    }.map { words[$0 + 2] }
    return large + others
  }

  @Test func `every index is used by a statement`() throws {
    let (plans, indexes) = try Self.plans()
    let used = plans.flatMap(\.1).joined(separator: "\n")
    let idle = indexes.filter { !used.contains("INDEX \($0)") }
    #expect(idle.isEmpty, "\(idle)")
  }

  private static func isException(_ statement: String) -> Bool {
    exceptions.contains { statement.contains($0.part) }
  }

  /// Each statement with its plan, and the names of all indexes but those that only keep values apart.
  private static func plans() throws -> ([(String, [String])], [String]) {
    let folder = try TemporaryFolder()
    let path = folder.file("plans.db")
    let connection = try SQLiteConnection(path: path, isReader: false)
    let statements = try Self.statements()
    #expect(statements.count > 150)
    var (plans, indexes) = ([(String, [String])](), [String]())
    var unreadable: [String] = []
    try connection.use { session throws(StoreError) in
      try SQLiteMigrator(migrations: SQLiteMigration.all).update(session, from: 0)
      try session.each(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql NOT LIKE 'CREATE UNIQUE%'"
      ) { row throws(StoreError) in indexes.append(row.text(0)) }
      for statement in statements {
        do throws(StoreError) {
          plans.append((statement, try session.plan(of: statement)))
        } catch {
          unreadable.append("\(error): \(statement.prefix(200))")
        }
      }
    }
    try connection.close()
    #expect(unreadable.isEmpty, "\(unreadable.joined(separator: "\n"))")
    return (plans, indexes)
  }

  // MARK: Statements as they stand in the sources

  private static func statements() throws -> [String] {
    let folder =
      #filePath.replacing("Tests/AgentStoreTests/QueryPlanTests.swift", with: "")
      + "Sources/AgentStore/SQLite"
    return try sources(in: folder).flatMap { path throws -> [String] in
      literals(in: try text(of: path)).filter(isStatement)
    }
  }

  /// The Swift files of a folder and of the folders in it. Only files have a dot in their name.
  private static func sources(in folder: String) throws -> [String] {
    try files(in: folder).flatMap { name throws -> [String] in
      let path = "\(folder)/\(name)"
      if name.hasSuffix(".swift") { return [path] }
      return name.contains(".") ? [] : try sources(in: path)
    }
  }

  private static func isStatement(_ literal: String) -> Bool {
    ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "WITH "].contains {
      literal.hasPrefix($0)
    }
  }

  private static func files(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { throw StoreError(.missing, folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.sorted()
  }

  private static func text(of path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw StoreError(.missing, path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  /// Texts in quotation marks, of a line or of several.
  private static func literals(in source: String) -> [String] {
    var found: [String] = []
    var rest = Substring(source)
    while let start = rest.firstIndex(of: "\"") {
      let mark = rest[start...].hasPrefix("\"\"\"") ? "\"\"\"" : "\""
      rest = rest[start...].dropFirst(mark.count)
      guard let end = rest.firstRange(of: mark) else { break }
      let lines = rest[..<end.lowerBound].split(separator: "\n")
      let text = lines.map { $0.drop { $0 == " " } }.joined(separator: "\n")
      found.append(text)
      rest = rest[end.upperBound...]
    }
    return found
  }
}

extension SQLiteSession {
  /// How the database would run a statement.
  fileprivate func plan(of statement: String) throws(StoreError) -> [String] {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN \(statement)", -1, &prepared, nil)
    guard code == SQLITE_OK else { throw error(code) }
    defer { sqlite3_finalize(prepared) }
    var lines: [String] = []
    while sqlite3_step(prepared) == SQLITE_ROW {
      guard let text = sqlite3_column_text(prepared, 3) else { continue }
      lines.append(String(cString: text))
    }
    return lines
  }
}
