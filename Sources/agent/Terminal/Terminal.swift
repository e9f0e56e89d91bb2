internal import AgentJSON
internal import AgentModules
internal import AgentText
internal import Glibc

/// Standard output and error, the one place that writes there: colours only on a terminal, and only
/// where `NO_COLOR` isn't set.
///
/// Nothing that a terminal obeys gets through but what is written here: whatever else is printed may
/// come from a module, a request, or a stranger. Where such a text is to stay on its line,
/// ``CommonOptions/show(_:keeping:as:)``, ``table(_:)`` and `VisibleText.line` see to that.
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
    hasColours ? StyledText.marked(text, style) : text
  }

  /// Writes lines to standard output.
  static func print(_ text: String) {
    write(StyledText.shown(text, hasColours: hasColours) + "\n", to: 1)
  }

  /// Writes JSON for programs, as one line or over several; it is the same value without characters
  /// that a terminal obeys.
  static func json(_ value: JSONValue, pretty: Bool = false) {
    write(VisibleText.json(value.text(pretty: pretty)) + "\n", to: 1)
  }

  /// Hands on what isn't this program's to word, such as a file: as it is into a file or a pipe, and
  /// on a terminal without what that would obey.
  static func copy(_ bytes: [UInt8]) {
    guard isatty(1) == 1 else { return write(bytes, to: 1) }
    write(VisibleText.block(String(decoding: bytes, as: UTF8.self)), to: 1)
  }

  /// Writes a drawing, which moves the cursor; what is in it of others was made visible before.
  static func draw(_ text: String) { write(text, to: 1) }

  /// A line about problems, in the colour of how bad they are.
  static func line(_ line: ProblemDigest.Line) -> String {
    styled(line.text, line.severity == .error ? .bad : .doubtful)
  }

  /// Says on standard error why something did not work.
  static func complain(_ message: String) {
    guard !message.isEmpty else { return }
    let text = StyledText.shown(message, hasColours: false)
    write(errorHasColours ? "\u{1B}[31magent:\u{1B}[0m \(text)\n" : "agent: \(text)\n", to: 2)
  }

  /// Writes a line to standard error that is no complaint.
  static func remark(_ message: String) {
    write(StyledText.shown(message, hasColours: errorHasColours) + "\n", to: 2)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    write(Array(text.utf8), to: descriptor)
  }

  /// Writes bytes at once.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
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

  /// Lines up columns, two blanks apart. A row is a line, whatever is in its cells.
  static func table(_ rows: [[String]]) -> String {
    let rows = rows.map { $0.map(StyledText.onOneLine) }
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], StyledText.width(of: cell))
      }
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        column == row.count - 1
          ? cell
          : cell + String(repeating: " ", count: widths[column] - StyledText.width(of: cell))
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
