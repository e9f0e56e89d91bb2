internal import AgentJSON
internal import AgentModules
package import AgentSettings
internal import AgentStore
package import AgentTasks
internal import Glibc
internal import Synchronization

/// The record of starts in two small files: `.agent/starts.json`, and `.agent/start-step` with what
/// is under way now.
///
/// The step is written in place, without waiting for the disk: it outlives the process, and that is
/// what it is for. Nothing here can fail a start: what can't be written isn't remembered.
package final class StartJournal: Sendable {
  /// The longest step, in bytes; the rest is cut off.
  static let longestStep = 200

  private struct State {
    var record: StartRecord
    let boot: String
    /// The descriptor of the file of steps, while steps are noted.
    var descriptor: Int32?
    /// The files that couldn't be read or written, in sentences.
    var problems: [String] = []
  }

  private let path: String
  private let steps: String
  private let state: Mutex<State>
  /// Whether steps are noted; most are asked about after the first minute, when they aren't.
  private let isOpen = Atomic(false)

  /// Reads what the hosts before this one have left.
  package init(folder: AgentFolder) {
    (path, steps) = (folder.starts, folder.startStep)
    var record = StartRecord()
    var problems: [String] = []
    do {
      if let bytes = try Self.read(path, limit: 64 << 10) {
        record = StartRecord(json: try JSONValue(parsing: bytes))
      }
    } catch {
      problems.append(
        "The count of failed starts begins again: \(path) can't be read: \(Self.reason(error))")
    }
    // It only says what the last host did; without it the start is counted all the same.
    if let bytes = try? FileSystem.read(steps, limit: 4 << 10) {
      let text = String(decoding: bytes.prefix(Self.longestStep), as: UTF8.self)
      record.note(step: String(text.prefix { !$0.isNewline && $0 != "\0" }.trimmed))
    }
    // It changes with each boot of the machine. Starts that a power cut ended don't count.
    let file = (try? FileSystem.read("/proc/sys/kernel/random/boot_id", limit: 100)) ?? []
    let boot = String(String(decoding: file, as: UTF8.self).trimmed)
    record.settle(boot: boot)
    state = Mutex(State(record: record, boot: boot, problems: problems))
  }

  private static func reason(_ error: any Error) -> String {
    (error as? FileFailure)?.message ?? "\(error)"
  }

  /// A file's bytes; nil where there is none, which is usual.
  private static func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8]? {
    do {
      return try FileSystem.read(path, limit: limit)
    } catch .missing {
      return nil
    }
  }

  /// The record of the starts.
  package var record: StartRecord { state.withLock { $0.record } }

  /// The files that couldn't be read or written, in sentences. Safe mode may come late then.
  package var problems: [String] { state.withLock { $0.problems } }

  /// Notes that this host starts.
  package func begin(pid: Int32, at now: Int64) {
    state.withLock { state in
      state.record.begin(.init(pid: pid, at: now, boot: state.boot))
      save(&state)
      // Kept open: a step is then one write, and there are many of them.
      let descriptor = open(steps, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
      state.descriptor = descriptor >= 0 ? descriptor : nil
    }
    // Relaxed is enough: the descriptor is looked at again under the lock.
    isOpen.store(true, ordering: .relaxed)
  }

  /// Notes what is under way from now on, while steps are noted.
  package func enter(_ step: @autoclosure () -> String) {
    guard isOpen.load(ordering: .relaxed) else { return }
    let text = Array(step().utf8.prefix(Self.longestStep))
    // Padded to one length, so that a shorter step leaves nothing of a longer one.
    let line =
      text + Array(repeating: UInt8(ascii: " "), count: Self.longestStep - text.count) + [10]
    state.withLock { state in
      guard let descriptor = state.descriptor else { return }
      _ = pwrite(descriptor, line, line.count, 0)
    }
  }

  /// Notes the task that has begun last, while steps are noted.
  package func note(_ changes: [TaskChange]) {
    guard isOpen.load(ordering: .relaxed),
      let begun = changes.last(where: { $0.task.state == .running && $0.changesState })?.task
    else { return }
    enter("task \(begun.id), of the type \(begun.type)")
  }

  /// Notes why this host ends, which counts as a failed start.
  package func fail(_ reason: String) {
    // The first reason counts. After `clear` there is nothing to fail.
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    state.withLock { state in
      state.record.failed(because: reason)
      save(&state)
      Self.close(&state)
    }
  }

  /// Forgets everything: the host has lived, or was ended by somebody.
  package func clear() {
    isOpen.store(false, ordering: .relaxed)
    state.withLock { state in
      // A failure was recorded: the end of the host that follows is no request.
      guard state.record.current?.reason == nil else { return }
      state.record.clear()
      Self.close(&state)
      unlink(path)
      unlink(steps)
    }
  }

  private static func close(_ state: inout State) {
    if let descriptor = state.descriptor { Glibc.close(descriptor) }
    state.descriptor = nil
  }

  private func save(_ state: inout State) {
    do {
      try FileSystem.replace(path, with: state.record.json.bytes(pretty: true), mode: 0o600)
    } catch {
      state.problems.append(
        "Failed starts can't be counted: \(path) can't be written: \(Self.reason(error))")
    }
  }

  deinit { state.withLock { Self.close(&$0) } }
}

extension StringProtocol {
  /// Without blanks and line ends around it.
  fileprivate var trimmed: String {
    let isBlank: (Character) -> Bool = { $0.isWhitespace || $0.isNewline }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
