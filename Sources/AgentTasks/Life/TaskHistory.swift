internal import AgentJSON
internal import AgentStore

/// A task's changes, a JSON object a line.
enum TaskHistory {
  /// Beyond so many bytes the middle is left out.
  static let mostBytes = 64 << 10

  /// Adds a line.
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
    if history.count + line.bytes.count > mostBytes { shorten(&history) }
    history += line.bytes
    history.append(UInt8(ascii: "\n"))
  }

  /// Leaves out lines in the middle: how it began and what came last are kept.
  private static func shorten(_ history: inout [UInt8]) {
    let part = mostBytes / 4
    guard history.count > 3 * part,
      let head = history[..<part].lastIndex(of: UInt8(ascii: "\n")),
      let tail = history[(history.count - part)...].firstIndex(of: UInt8(ascii: "\n"))
    else { return }
    history = Array(history[...head]) + Array(history[(tail + 1)...])
  }

  /// The lines as values.
  static func values(of history: [UInt8]) -> [JSONValue] {
    history.split(separator: UInt8(ascii: "\n")).compactMap { JSONValue(stored: Array($0)) }
  }
}
