internal import AgentJSON
internal import AgentTasks
internal import Synchronization

/// The output of a program while it runs: lines for the task's log, progress, the end of each
/// stream for the result, and a function's answer. The program's own thread calls `take`; other
/// threads may read.
final class AttemptOutput: Sendable {
  /// The descriptor through which a function's answer comes.
  static let answerDescriptor: Int32 = 3
  private static let maxAnswer = 1 << 20
  private static let longestLine = 8 << 10

  private struct Channel {
    var partial: [UInt8] = []
    var tail = TextTail()
  }

  private struct State {
    var output = Channel()
    var errors = Channel()
    var answer: [UInt8] = []
    var isAnswerTooLong = false
  }

  private let work: TaskWork
  private let redact: @Sendable (String) -> String
  private let state = Mutex(State())

  init(_ work: TaskWork, redact: @escaping @Sendable (String) -> String) {
    (self.work, self.redact) = (work, redact)
  }

  func take(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) {
    state.withLock { state in
      switch descriptor {
      case 1: add(bytes, to: &state.output, isOutput: true)
      case 2: add(bytes, to: &state.errors, isOutput: false)
      default:
        let space = Self.maxAnswer - state.answer.count
        if bytes.count > space { state.isAnswerTooLong = true }
        // The excess is read and dropped: a program whose pipe isn't read would hang.
        state.answer += bytes.prefix(max(0, space))
      }
    }
  }

  /// Call it once the program has ended: what has no end of line counts as a line, too.
  func finish() {
    state.withLock { state in
      if !state.output.partial.isEmpty { line(&state.output, "", isOutput: true) }
      if !state.errors.partial.isEmpty { line(&state.errors, "", isOutput: false) }
    }
  }

  /// The last of standard output and of standard error.
  var tails: (output: String, errors: String) {
    state.withLock { ($0.output.tail.text, $0.errors.tail.text) }
  }

  /// The answer of a function; nil when there is none. Throws `invalid` when it is too long or
  /// isn't JSON.
  func answer() throws(TaskError) -> JSONValue? {
    let (bytes, isTooLong) = state.withLock { ($0.answer, $0.isAnswerTooLong) }
    if isTooLong {
      throw TaskError(
        .invalid,
        "The function's result is longer than 1 MiB. Write it to a file and return its name.")
    }
    guard !bytes.isEmpty else { return nil }
    do {
      return try JSONValue(parsing: bytes).mapStrings(redact)
    } catch {
      throw TaskError(.invalid, "What the function returned can't be read: \(error)")
    }
  }

  private func add(_ bytes: ArraySlice<UInt8>, to channel: inout Channel, isOutput: Bool) {
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      channel.partial += rest[..<end]
      line(&channel, "\n", isOutput: isOutput)
      rest = rest[(end + 1)...]
    }
    channel.partial += rest
    // A program that writes no line ends must not fill the host's memory.
    if channel.partial.count > Self.longestLine { line(&channel, "", isOutput: isOutput) }
  }

  private func line(_ channel: inout Channel, _ end: String, isOutput: Bool) {
    // By whole lines, because a secret may lie across two reads.
    let text = redact(String(decoding: channel.partial, as: UTF8.self))
    channel.partial = []
    if isOutput, let progress = CommandProgress(line: text) {
      return work.progress(progress.value)
    }
    channel.tail.append(text + end)
    work.log(isOutput ? "stdout" : "stderr", text)
  }
}

/// `::progress 0.5 Half of it`, on a line of standard output.
struct CommandProgress: Equatable {
  private static let mark = "::progress "

  let percent: Double
  let message: String

  init?(line: String) {
    guard line.hasPrefix(Self.mark) else { return nil }
    let rest = line.dropFirst(Self.mark.count).drop { $0 == " " }
    let word = rest.prefix { $0 != " " }
    let isPercent = word.last == "%"
    guard let number = Double(isPercent ? word.dropLast() : word), number.isFinite else {
      return nil
    }
    percent = min(max(isPercent ? number : number * 100, 0), 100)
    message = String(rest.dropFirst(word.count).drop { $0 == " " })
  }

  var value: JSONValue {
    message.isEmpty
      ? ["percent": JSONValue(percent)]
      : ["percent": JSONValue(percent), "message": .string(message)]
  }
}

/// The last 64 KiB of a text.
struct TextTail {
  static let most = 64 << 10

  private var bytes: [UInt8] = []
  private var isCut = false

  mutating func append(_ text: String) {
    bytes += Array(text.utf8)
    // Cut at twice the size, so that bytes are moved once per 64 KiB and not with every line.
    guard bytes.count > 2 * Self.most else { return }
    bytes.removeFirst(bytes.count - Self.most)
    isCut = true
  }

  /// At most ``most`` bytes, from the beginning of a character on: continuation bytes of UTF-8 at
  /// the cut are left out.
  var text: String {
    guard isCut || bytes.count > Self.most else { return String(decoding: bytes, as: UTF8.self) }
    let rest = bytes.suffix(Self.most).drop { $0 & 0xc0 == 0x80 }
    return String(decoding: rest, as: UTF8.self)
  }
}
