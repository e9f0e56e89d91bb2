internal import AgentJSON
internal import AgentStore

/// The history of a task as lines of JSON, one object in each line.
enum TaskHistory {
  /// The largest size in bytes. Beyond it, lines in the middle are removed.
  static let maxBytes = 64 << 10

  /// Appends a line. Only the first 2,000 characters of the note are stored.
  static func append(
    _ history: inout [UInt8], at moment: Int64, state: TaskState, attempt: Int64, by actor: String?,
    note: String?
  ) {
    var line = JSONWriter()
    line.beginObject()
    line.key("at")
    line.number(moment)
    line.key("state")
    line.string(state.rawValue)
    if attempt > 0 {
      line.key("attempt")
      line.number(attempt)
    }
    if let actor {
      line.key("by")
      line.string(actor)
    }
    if let note, !note.isEmpty {
      line.key("note")
      line.string(String(note.prefix(2_000)))
    }
    line.endObject()
    // Each retry and each snooze adds a line, and every change rewrites the row with all lines.
    // Therefore, the size is limited.
    if history.count + line.bytes.count > maxBytes { shorten(&history) }
    // An attempt adds two or three lines, and each enlargement copies them all.
    history.reserveCapacity(history.count + line.bytes.count + 1)
    history += line.bytes
    history.append(UInt8(ascii: "\n"))
  }

  /// Removes lines in the middle. The first and the last ones are kept.
  private static func shorten(_ history: inout [UInt8]) {
    // A quarter of the limit is kept at each end. The result is half of the limit, so the next
    // lines don't shorten it again.
    let part = maxBytes / 4
    guard history.count > 3 * part,
      let head = history[..<part].lastIndex(of: UInt8(ascii: "\n")),
      let tail = history[(history.count - part)...].firstIndex(of: UInt8(ascii: "\n"))
    else { return }
    history = Array(history[...head]) + Array(history[(tail + 1)...])
  }

  /// Returns the lines as values. Unreadable lines are skipped.
  static func values(of history: [UInt8]) -> [JSONValue] {
    history.split(separator: UInt8(ascii: "\n")).compactMap { JSONValue(stored: Array($0)) }
  }
}
