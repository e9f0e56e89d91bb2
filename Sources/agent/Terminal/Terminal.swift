internal import AgentJSON
internal import AgentModules
internal import AgentSystem
internal import AgentText
internal import Glibc

/// Writes to standard output and standard error. No other code does. Colors are used only on a
/// terminal, and only if `NO_COLOR` isn't set.
///
/// Control characters of other texts never reach the terminal, because a module, a request or a
/// stranger may have written them. ``CommonOptions/show(_:keeping:as:)``, ``table(_:)`` and
/// `VisibleText.line` keep such a text on its line.
enum Terminal {
  /// The style of a word.
  enum Style: String {
    case bad = "31"
    case doubtful = "33"
    case quiet = "2"
  }

  static let hasColors = isatty(1) == 1 && getenv("NO_COLOR") == nil
  /// Whether standard error is a terminal and not a file or a pipe.
  static let isErrorSeen = isatty(2) == 1
  static let errorHasColors = isatty(2) == 1 && getenv("NO_COLOR") == nil

  static func styled(_ text: String, _ style: Style) -> String {
    hasColors ? StyledText.marked(text, style) : text
  }

  /// Writes lines to standard output.
  static func print(_ text: String) {
    write(StyledText.shown(text, hasColors: hasColors) + "\n", to: 1)
  }

  /// Writes JSON for programs, on one line or over several. Control characters are escaped, and the
  /// value stays the same.
  static func json(_ value: JSONValue, pretty: Bool = false) {
    write(VisibleText.json(value.text(pretty: pretty)) + "\n", to: 1)
  }

  /// Writes content of others, such as a file. A file or a pipe gets it unchanged. On a terminal
  /// its control characters are removed.
  static func copy(_ bytes: [UInt8]) {
    guard isatty(1) == 1 else { return write(bytes, to: 1) }
    write(VisibleText.block(String(decoding: bytes, as: UTF8.self)), to: 1)
  }

  /// Writes a drawing, which moves the cursor. The caller has removed the control characters of
  /// other texts.
  static func draw(_ text: String) { write(text, to: 1) }

  /// Returns a line about problems, in the color of its severity.
  static func line(_ line: ProblemDigest.Line) -> String {
    styled(line.text, line.severity == .error ? .bad : .doubtful)
  }

  /// Writes to standard error why a command failed.
  static func complain(_ message: String) {
    guard !message.isEmpty else { return }
    let text = StyledText.shown(message, hasColors: false)
    write(errorHasColors ? "\u{1B}[31magent:\u{1B}[0m \(text)\n" : "agent: \(text)\n", to: 2)
  }

  /// Writes a line to standard error that isn't an error.
  static func remark(_ message: String) {
    write(StyledText.shown(message, hasColors: errorHasColors) + "\n", to: 2)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    write(Array(text.utf8), to: descriptor)
  }

  /// Writes bytes without a buffer.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          // Another program may have made a shared terminal or pipe non-blocking.
          if errno == EAGAIN {
            var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&place, 1, -1)
            continue
          }
          return stop(errno, descriptor)
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }

  /// Ends the program if its output can't be written. A file that was cut must not look complete.
  private static func stop(_ number: Int32, _ descriptor: Int32) {
    // Nobody reads the messages. The command goes on, and its status says how it ended.
    guard descriptor == 1 else { return }
    // The reader has closed its end (`agent logs | head`), so the output is complete.
    if number == EPIPE { _exit(0) }
    complain("The output can't be written: \(SystemError.text(number)).")
    _exit(Failure.Exit.failure.rawValue)
  }

  static func leave(_ code: Failure.Exit) -> Never {
    fflush(nil)
    exit(code.rawValue)
  }

  /// Aligns columns with two blanks between them. A row stays one line, whatever its cells hold.
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

  /// Returns the age of a moment in Unix milliseconds.
  static func age(_ moment: JSONValue?) -> String {
    span(since: moment?.int ?? 0)
  }

  /// Returns the span from a moment in Unix milliseconds until now. The moment is a host's, which may
  /// be any number.
  static func span(since moment: Int) -> String {
    span(milliseconds: Timestamp.now().subtracting(Int64(moment)))
  }

  /// Returns a span of time such as `42s`, `3m 12s`, `5h 02m` or `4d 07h`.
  static func span(milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds / 1000)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 { return "\(seconds)s" }
    if seconds < 3600 { return "\(seconds / 60)m \(two(seconds % 60))s" }
    if seconds < 86_400 { return "\(seconds / 3600)h \(two(seconds / 60 % 60))m" }
    return "\(seconds / 86_400)d \(two(seconds / 3600 % 24))h"
  }
}
