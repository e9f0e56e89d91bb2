package import AgentJSON
package import AgentStore
internal import AgentTasks

/// The database in diagnostics.
package enum StoreReport {
  /// - Parameters:
  ///   - problems: the result of a check of the whole file. `nil` if it wasn't checked.
  ///   - rows: rows that can't be read. `nil` if rows weren't checked.
  package static func json(
    _ file: StoreFileStatistics, problems: [String]?, rows: [StoredRows.Problem]? = nil,
    statistics: StoreStatistics? = nil,
    condition: StoreCondition? = nil
  ) -> JSONValue {
    var object: JSONObject = [
      "tables": JSONValue(file.tables), "latest_tables": JSONValue(file.latestTables),
      "file_bytes": JSONValue(file.fileBytes), "log_bytes": JSONValue(file.logBytes),
      "page_bytes": JSONValue(file.pageBytes), "pages": JSONValue(file.pages),
      "free_pages": JSONValue(file.freePages), "journal_mode": .string(file.journalMode),
      "rows": rows.map { .array($0.map(json)) } ?? .null,
      "integrity": problems.map { .array($0.map { .string($0) }) } ?? .null,
    ]
    if let condition { object["condition"] = DatabaseReport(condition).json }
    if let statistics { object["writer"] = json(statistics) }
    return .object(object)
  }

  private static func json(_ row: StoredRows.Problem) -> JSONValue {
    ["table": .string(row.table), "id": .string(row.id), "reason": .string(row.reason)]
  }

  /// Returns the report for a file that can't be examined.
  package static func failure(_ error: any Error) -> JSONValue {
    let isDamaged = (error as? StoreError)?.code == .corrupt
    return ["problem": .string("\(error)"), "state": isDamaged ? "CORRUPT" : "FAULTY"]
  }

  private static func json(_ statistics: StoreStatistics) -> JSONValue {
    func milliseconds(_ nanoseconds: Double) -> JSONValue { JSONValue(nanoseconds / 1_000_000) }
    return [
      "commits": JSONValue(statistics.commits), "writes": JSONValue(statistics.writes),
      "failures": JSONValue(statistics.failures), "waiting": JSONValue(statistics.waiting),
      "last_group": JSONValue(statistics.lastGroup),
      "largest_group": JSONValue(statistics.largestGroup),
      "mean_group": JSONValue(statistics.meanGroup),
      "last_ms": milliseconds(Double(statistics.lastDuration)),
      "longest_ms": milliseconds(Double(statistics.longestDuration)),
      "mean_ms": milliseconds(statistics.meanDuration),
      "checkpoints": JSONValue(statistics.checkpoints),
      "last_checkpoint": statistics.lastCheckpoint.map { JSONValue($0) } ?? .null,
      "log_pages": JSONValue(statistics.logPages),
    ]
  }
}
