package import AgentJSON
internal import AgentSystem
internal import AgentText
internal import Glibc

/// The severity of a log record, in rising order.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case trace, debug, info, notice, warning, error, critical

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

  var rank: Int {
    switch self {
    case .trace: 0
    case .debug: 1
    case .info: 2
    case .notice: 3
    case .warning: 4
    case .error: 5
    case .critical: 6
    }
  }
}

/// One entry of the log. It comes from the host, from a process's log calls, or from a process's
/// standard error.
package struct LogRecord: Sendable, Hashable {
  /// The source of the host's own records; no process may have this name.
  package static let host = "agent"

  /// The time, in Unix milliseconds.
  package var timestamp: Int64
  /// The severity.
  package var level: LogLevel
  /// The source: the name of a process, `module:NAME`, or `agent` for the host.
  package var source: String
  /// The text for people.
  package var message: String
  /// Further values, for programs.
  package var fields: JSONObject

  package init(
    timestamp: Int64, level: LogLevel, source: String, message: String,
    fields: JSONObject = JSONObject()
  ) {
    self.timestamp = timestamp
    self.level = level
    self.source = source
    self.message = message
    self.fields = fields
  }

  /// The largest size of a message, in bytes. The rest is cut off.
  package static let maxMessage = 128 << 10

  /// The approximate memory of the record, in bytes.
  var bytes: Int {
    fields.reduce(256 + message.utf8.count) { sum, field in
      sum + field.key.utf8.count + (field.value.string?.utf8.count ?? 64)
    }
  }

  /// Returns the record with its message and the strings of its fields cut to `most` bytes each.
  func cut(toBytes most: Int) -> LogRecord {
    var record = self
    let ending = " … (cut)"
    record.message = message.cut(toBytes: most, ending: ending)
    for (key, value) in fields {
      guard case .string(let text) = value, text.utf8.count > most else { continue }
      record.fields[key] = .string(text.cut(toBytes: most, ending: ending))
    }
    return record
  }

  /// The record as JSON, as in `.agent/logs/NAME.jsonl` and in the API. Fields can't replace the
  /// four main members.
  package var json: JSONValue {
    var object: JSONObject = [
      "timestamp": .string(Timestamp.text(timestamp)), "level": .string(level.rawValue),
      "source": .string(source), "message": .string(message),
    ]
    for (key, value) in fields where object[key] == nil { object[key] = value }
    return .object(object)
  }

  /// Returns the record as one line for a terminal. Control characters are made visible, so that a
  /// message can't add a second record or a terminal control sequence.
  package func text(colors: Bool) -> String {
    let time = Timestamp.text(timestamp)
    let clock = time.dropFirst(11).prefix(12)
    let word = level.rawValue
    let padded = word + String(repeating: " ", count: max(0, 8 - word.count))
    var line = "\(clock) \(colors ? level.colored(padded) : padded) "
    line += VisibleText.line("\(source): \(message)")
    for (key, value) in fields {
      line += VisibleText.line(" \(key)=\(value.string ?? value.text())")
    }
    return line
  }
}

extension LogLevel {
  fileprivate func colored(_ text: String) -> String {
    switch self {
    case .trace, .debug: "\u{1B}[2m\(text)\u{1B}[0m"
    case .info: text
    case .notice: "\u{1B}[36m\(text)\u{1B}[0m"
    case .warning: "\u{1B}[33m\(text)\u{1B}[0m"
    case .error, .critical: "\u{1B}[31m\(text)\u{1B}[0m"
    }
  }
}
