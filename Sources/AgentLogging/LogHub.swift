package import AgentJSON
internal import AgentSystem
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The level, the outputs and the format of the host's log.
package struct LogConfiguration: Sendable {
  /// Records below this level are dropped.
  package var level: LogLevel = .info
  /// Whether standard error and `file` get JSON lines in place of lines for people.
  package var asJSON = false
  /// The path of a log file that is written in addition to standard error. `nil` for none.
  package var file: String?
  /// The rotation of `file` and of the files of the processes.
  package var rotation = LogRotation()
  /// The folder with one file for each process. `nil` for none.
  package var folder: String?
  /// Whether lines go to standard error.
  package var toStandardError = true
  /// Whether lines on standard error have colors.
  package var colors = false

  package init() {}
}

/// Accepts records from any thread without blocking. A thread of its own writes them to standard
/// error, to the log file, to the file of the process, and to subscribers.
package final class LogHub: Sendable {
  /// Receives a record at or above the configured level. Called on the log's thread, so it must not
  /// block.
  package typealias Subscriber = @Sendable (LogRecord) -> Void

  private struct State {
    var configuration: LogConfiguration
    var subscribers: [UInt64: Subscriber] = [:]
    var nextSubscriber: UInt64 = 1
    var redact: @Sendable (String) -> String = { $0 }
    var waiting = 0
    var waitingBytes = 0
    var dropped = 0
    var statistics = LogStatistics()
  }

  /// The open files, which only the log's thread uses. They are keyed by path, because two sources
  /// may have the same file name. Each file has one writer, which tracks its size.
  private struct Files {
    var main: RotatingFile?
    var byPath: [String: RotatingFile] = [:]
  }

  private static let maxWaiting = 10_000
  /// The largest size of all records that wait to be written, in bytes.
  static let maxWaitingBytes = 16 << 20
  private let state: Mutex<State>
  private let files = Mutex(Files())
  private let thread = DispatchQueue(label: "agent.log")

  package init(_ configuration: LogConfiguration) {
    state = Mutex(State(configuration: configuration))
  }

  /// Replaces the configuration. The files are closed and opened again with the next record.
  package func configure(_ configuration: LogConfiguration) {
    state.withLock { $0.configuration = configuration }
    thread.async { [self] in
      files.withLock { files in
        files.main?.close()
        for path in files.byPath.keys { files.byPath[path]?.close() }
        files = Files()
      }
    }
  }

  /// Sets the function that replaces secrets in messages. Called on the log's thread and by
  /// ``redacted(_:)``.
  package func redact(with redact: @escaping @Sendable (String) -> String) {
    state.withLock { $0.redact = redact }
  }

  /// Returns a text without secrets, as messages are written.
  package func redacted(_ text: String) -> String { state.withLock(\.redact)(text) }

  /// Accepts a record. Records below the configured level are ignored. When too many records wait
  /// for the disk, the record is dropped and counted.
  package func log(_ record: LogRecord) {
    let record = record.cut(toBytes: LogRecord.maxMessage)
    let bytes = record.bytes
    let accepted = state.withLock { state in
      guard record.level >= state.configuration.level else { return false }
      guard state.waiting < Self.maxWaiting, state.waitingBytes + bytes <= Self.maxWaitingBytes
      else {
        state.dropped += 1
        state.statistics.dropped += 1
        return false
      }
      state.waiting += 1
      state.waitingBytes += bytes
      state.statistics.records[record.level.rank] += 1
      return true
    }
    guard accepted else { return }
    thread.async { [self] in write(record, bytes) }
  }

  /// The numbers of accepted, waiting and dropped records, and the problems of the files.
  package var statistics: LogStatistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.waiting = state.waiting
      return statistics
    }
  }

  /// Logs a message of the host itself, with the current time.
  package func log(
    _ level: LogLevel, _ message: String, source: String = LogRecord.host,
    fields: JSONObject = JSONObject()
  ) {
    log(
      LogRecord(
        timestamp: Timestamp.now(), level: level, source: source, message: message,
        fields: fields))
  }

  /// Calls `subscriber` for each record from now on.
  /// - Returns: the number for ``unsubscribe(_:)``.
  package func subscribe(_ subscriber: @escaping Subscriber) -> UInt64 {
    state.withLock { state in
      let number = state.nextSubscriber
      state.nextSubscriber += 1
      state.subscribers[number] = subscriber
      return number
    }
  }

  /// Ends a subscription. A record that is being written may still arrive.
  package func unsubscribe(_ number: UInt64) {
    state.withLock { $0.subscribers[number] = nil }
  }

  /// Returns when every record accepted until now is written. It blocks; called at the end of the
  /// host.
  package func flush() { thread.sync {} }

  private func write(_ record: LogRecord, _ bytes: Int) {
    let present = state.withLock { state in
      state.waiting -= 1
      state.waitingBytes -= bytes
      let dropped = state.dropped
      state.dropped = 0
      return (
        configuration: state.configuration, subscribers: Array(state.subscribers.values),
        redact: state.redact, dropped: dropped
      )
    }
    if present.dropped > 0 {
      emit(
        LogRecord(
          timestamp: record.timestamp, level: .warning, source: LogRecord.host,
          message:
            "\(present.dropped) log records were dropped: they came faster than they are written."),
        configuration: present.configuration, subscribers: [])
    }
    // Secrets are removed on this thread, so that callers don't wait for the search.
    var safe = record
    safe.message = present.redact(record.message)
    for (key, value) in record.fields {
      if case .string(let text) = value { safe.fields[key] = .string(present.redact(text)) }
    }
    emit(safe, configuration: present.configuration, subscribers: present.subscribers)
  }

  private func emit(
    _ record: LogRecord, configuration: LogConfiguration, subscribers: [Subscriber]
  ) {
    let json = record.json.text() + "\n"
    if configuration.toStandardError {
      let line = configuration.asJSON ? json : record.text(colors: configuration.colors) + "\n"
      writeToStandardError(line)
    }
    files.withLock { files in
      if let path = configuration.file {
        if files.main == nil {
          files.main = RotatingFile(path: path, rotation: configuration.rotation)
        }
        let line = configuration.asJSON ? json : record.text(colors: false) + "\n"
        _ = files.main?.append(Array(line.utf8), now: record.timestamp)
        note(files.main?.problem, of: path)
      }
      if let folder = configuration.folder {
        let path = "\(folder)/\(Self.fileName(of: record.source)).jsonl"
        _ = files.byPath[
          path, default: RotatingFile(path: path, rotation: configuration.rotation)
        ].append(Array(json.utf8), now: record.timestamp)
        note(files.byPath[path]?.problem, of: path)
      }
    }
    if record.level >= .warning { state.withLock { $0.statistics.remember(record) } }
    for subscriber in subscribers { subscriber(record) }
  }

  private func note(_ problem: String?, of path: String) {
    state.withLock { state in
      if state.statistics.problems[path] != problem { state.statistics.problems[path] = problem }
    }
  }

  /// Returns the name of a process's file without its extension. Characters other than letters,
  /// digits, `-`, `_` and `.` become `-`, so `module:x` becomes `module-x`.
  package static func fileName(of source: String) -> String {
    String(
      source.map { character in
        character.isLetter || character.isNumber || "-_.".contains(character) ? character : "-"
      })
  }

  private func writeToStandardError(_ line: String) {
    var line = line
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(2, rest.baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }
}
