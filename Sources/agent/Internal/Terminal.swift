internal import AgentJSON
internal import AgentModules
internal import Glibc

/// Standard output and error: colours only on a terminal, and only where `NO_COLOR` isn't set.
enum Terminal {
  /// How a word is set off.
  enum Style: String {
    case bad = "31"
    case doubtful = "33"
    case quiet = "2"
  }

  static let hasColours = isatty(1) == 1 && getenv("NO_COLOR") == nil
  /// Whether standard error is a terminal, and not a file or a pipe.
  static let isErrorSeen = isatty(2) == 1
  static let errorHasColours = isatty(2) == 1 && getenv("NO_COLOR") == nil

  static func styled(_ text: String, _ style: Style) -> String {
    hasColours ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// A line about problems, in the colour of how bad they are.
  static func line(_ line: ProblemDigest.Line) -> String {
    styled(line.text, line.severity == .error ? .bad : .doubtful)
  }

  /// Says on standard error why something did not work.
  static func complain(_ message: String) {
    guard !message.isEmpty else { return }
    let line = errorHasColours ? "\u{1B}[31magent:\u{1B}[0m \(message)\n" : "agent: \(message)\n"
    write(line, to: 2)
  }

  /// Writes a line to standard error that is no complaint.
  static func remark(_ message: String) { write(message + "\n", to: 2) }

  /// Writes text at once, past the buffer of `print`.
  static func write(_ text: String, to descriptor: Int32 = 1) {
    write(Array(text.utf8), to: descriptor)
  }

  /// Writes bytes at once.
  static func write(_ bytes: [UInt8], to descriptor: Int32 = 1) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          // The reader has gone (`agent logs | head`): nothing is left to say.
          _exit(0)
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }

  static func leave(_ code: Failure.Exit) -> Never {
    fflush(nil)
    exit(code.rawValue)
  }

  /// Lines up columns, two blanks apart; the last one is left as it is.
  static func table(_ rows: [[String]]) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        column == row.count - 1
          ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// How long ago a moment of Unix milliseconds was.
  static func age(_ moment: JSONValue?) -> String {
    span(milliseconds: Int64(time(nil)) * 1000 - Int64(moment?.int ?? 0))
  }

  /// A span of time as people say it: `42s`, `3m 12s`, `5h 02m`, `4d 07h`.
  static func span(milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds / 1000)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 { return "\(seconds)s" }
    if seconds < 3600 { return "\(seconds / 60)m \(two(seconds % 60))s" }
    if seconds < 86_400 { return "\(seconds / 3600)h \(two(seconds / 60 % 60))m" }
    return "\(seconds / 86_400)d \(two(seconds / 3600 % 24))h"
  }
}
