internal import BenchSupport
internal import GRDBSQLite

/// SQLite alone: rows that are inserted, taken and ended, each step in groups of one durable commit.
enum Probe {
  static func measure(_ file: String, _ count: Int, group: Int) throws {
    var handle: OpaquePointer?
    guard sqlite3_open(file, &handle) == SQLITE_OK, let handle else { throw BenchError(file) }
    defer { sqlite3_close(handle) }
    func run(_ sql: String) throws {
      guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
        throw BenchError(String(cString: sqlite3_errmsg(handle)))
      }
    }
    try run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    try run(
      """
      CREATE TABLE tasks (id INTEGER PRIMARY KEY, state TEXT NOT NULL, rank INTEGER NOT NULL,
        owner TEXT, definition BLOB NOT NULL, result BLOB) STRICT;
      CREATE INDEX tasks_queued ON tasks (rank) WHERE state = 'queued'
      """)
    let steps = [
      "INSERT INTO tasks VALUES (?1, 'queued', ?1, NULL, x'7b226e223a317d', NULL)",
      "UPDATE tasks SET state = 'running', owner = 'host' WHERE id = ?1 AND state = 'queued'",
      "UPDATE tasks SET state = 'succeeded', owner = NULL, result = x'6e756c6c' WHERE id = ?1 "
        + "AND owner = 'host'",
    ]
    let start = BenchClock.elapsed.now
    for sql in steps {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
        throw BenchError(sql)
      }
      defer { sqlite3_finalize(statement) }
      for first in stride(from: 0, to: count, by: group) {
        try run("BEGIN IMMEDIATE")
        for id in first..<min(count, first + group) {
          sqlite3_bind_int64(statement, 1, Int64(id + 1))
          sqlite3_step(statement)
          sqlite3_reset(statement)
        }
        try run("COMMIT")
      }
    }
    print("cycles \(rate(count, since: start))")
  }
}
