package import AgentJSON
internal import AgentSystem
internal import Dispatch
internal import Glibc
internal import Synchronization

/// How the host logs.
package struct LogConfiguration: Sendable {
  /// Records below this level are dropped.
  package var level: LogLevel = .info
  /// Lines for people or JSON lines, on standard error and in `file`.
  package var asJSON = false
  /// A file besides standard error.
  package var file: String?
  /// For `file` and for the files of the processes.
  package var rotation = LogRotation()
  /// The folder with a file per process; nil for none.
  package var folder: String?
  /// Whether lines go to standard error.
  package var toStandardError = true
  /// Whether those lines have colors.
  package var colors = false

  package init() {}
}

/// Takes every record in, from any thread, without waiting, and writes them on a thread of its own:
/// to standard error, to the log file, to the file of the process, and to subscribers.
package final class LogHub: Sendable {
  /// Takes a record that has passed the level. Called on the log's thread; must not wait.
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

  /// Files that are open; touched on the log's thread only. By path, since names of two sources may
  /// give one: each file has one writer, which knows its size.
  private struct Files {
    var main: RotatingFile?
    var byPath: [String: RotatingFile] = [:]
  }

  private static let maxWaiting = 10_000
  /// The bytes of records that may wait to be written.
  static let maxWaitingBytes = 16 << 20
  private let state: Mutex<State>
  private let files = Mutex(Files())
  private let thread = DispatchQueue(label: "agent.log")

  package init(_ configuration: LogConfiguration) {
    state = Mutex(State(configuration: configuration))
  }

  /// Changes the configuration while it runs; files are opened anew.
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

  /// What replaces secrets in messages.
  package func redact(with redact: @escaping @Sendable (String) -> String) {
    state.withLock { $0.redact = redact }
  }

  /// A text as messages are written: without secrets.
  package func redacted(_ text: String) -> String { state.withLock(\.redact)(text) }

  /// Takes a record. When the disk can't keep up records are dropped and counted.
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

  /// Counts of the records that were accepted until now and of those that wait.
  package var statistics: LogStatistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.waiting = state.waiting
      return statistics
    }
  }

  /// Takes a message of the host itself.
  package func log(
    _ level: LogLevel, _ message: String, source: String = LogRecord.host,
    fields: JSONObject = JSONObject()
  ) {
    log(
      LogRecord(
        timestamp: Timestamp.now(), level: level, source: source, message: message,
        fields: fields))
  }

  /// Calls `subscriber` for each record from now on; returns the number to stop it with.
  package func subscribe(_ subscriber: @escaping Subscriber) -> UInt64 {
    state.withLock { state in
      let number = state.nextSubscriber
      state.nextSubscriber += 1
      state.subscribers[number] = subscriber
      return number
    }
  }

  /// Stops what `subscribe` began.
  package func unsubscribe(_ number: UInt64) {
    state.withLock { $0.subscribers[number] = nil }
  }

  /// Returns when every record accepted until now is written. Blocks; called at the end of the
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

  /// The name of a process as a file may carry it: `module:x` becomes `module-x`.
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
