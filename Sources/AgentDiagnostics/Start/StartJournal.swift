internal import AgentJSON
internal import AgentModules
package import AgentSettings
internal import AgentStore
package import AgentTasks
internal import AgentText
internal import Glibc
internal import Synchronization

/// The record of starts in two small files: `.agent/starts.json` for the starts, and
/// `.agent/start-step` for the current step.
///
/// The step is overwritten in place and not synced. It must survive only the process, not a power
/// cut. An error here never fails a start; the values are then not recorded.
package final class StartJournal: Sendable {
  /// The largest size of a step, in bytes. The rest is cut off.
  static let longestStep = 200
  /// The largest size of a reason, in bytes. The file of ten starts must stay readable.
  private static let longestReason = 1_000

  private struct State {
    var record: StartRecord
    let boot: String
    /// The descriptor of the file of steps. `nil` while steps aren't recorded.
    var descriptor: Int32?
    /// Whether a person has ended this host, or it has run long enough: nothing is recorded any more.
    var isOver = false
    /// A sentence for each file that couldn't be read or written.
    var problems: [String] = []
  }

  private let path: String
  private let steps: String
  private let state: Mutex<State>
  /// Whether steps are recorded. This check needs no lock, because most steps come after the first
  /// minute, when none are recorded.
  private let isOpen = Atomic(false)

  /// Reads the records of the earlier hosts.
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
    // The step only explains the failure. Without it, the start counts anyway.
    if let bytes = try? FileSystem.read(steps, limit: 4 << 10) {
      let text = String(decoding: bytes.prefix(Self.longestStep), as: UTF8.self)
      record.note(step: String(text.prefix { !$0.isNewline && $0 != "\0" }.trimmed))
    }
    // The boot id changes with each boot of the machine. Starts that a power cut ended don't count.
    let file = (try? FileSystem.read("/proc/sys/kernel/random/boot_id", limit: 100)) ?? []
    let boot = String(String(decoding: file, as: UTF8.self).trimmed)
    record.settle(boot: boot)
    state = Mutex(State(record: record, boot: boot, problems: problems))
  }

  private static func reason(_ error: any Error) -> String {
    (error as? FileFailure)?.message ?? "\(error)"
  }

  /// Returns the contents of a file, or `nil` if it doesn't exist, which is the usual case.
  private static func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8]? {
    do {
      return try FileSystem.read(path, limit: limit)
    } catch .missing {
      return nil
    }
  }

  /// The record of the starts.
  package var record: StartRecord { state.withLock { $0.record } }

  /// A sentence for each file that couldn't be read or written. Safe mode may then come too late.
  package var problems: [String] { state.withLock { $0.problems } }

  /// Records the start of this host.
  package func begin(pid: Int32, at now: Int64) {
    let isBegun = state.withLock { state in
      // A request to stop may come at any time.
      guard !state.isOver else { return false }
      state.record.begin(.init(pid: pid, at: now, boot: state.boot))
      save(&state)
      // The file stays open, so that each of the many steps is a single write.
      let descriptor = open(steps, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
      state.descriptor = descriptor >= 0 ? descriptor : nil
      return true
    }
    // Relaxed ordering suffices, because the descriptor is checked again under the lock.
    isOpen.store(isBegun, ordering: .relaxed)
  }

  /// Records the step that begins now, while steps are recorded.
  package func enter(_ step: @autoclosure () -> String) {
    guard isOpen.load(ordering: .relaxed) else { return }
    let text = Array(step().utf8.prefix(Self.longestStep))
    // All steps have the same length, so that a short one leaves nothing of a longer one.
    let line =
      text + Array(repeating: UInt8(ascii: " "), count: Self.longestStep - text.count) + [10]
    state.withLock { state in
      guard let descriptor = state.descriptor else { return }
      _ = pwrite(descriptor, line, line.count, 0)
    }
  }

  /// Records the task that began last, while steps are recorded.
  package func note(_ changes: [TaskChange]) {
    guard isOpen.load(ordering: .relaxed),
      let begun = changes.last(where: { $0.task.state == .running && $0.changesState })?.task
    else { return }
    enter("task \(begun.id), of the type \(begun.type)")
  }

  /// Records the setting `supervision.safe_mode_after` for a start that doesn't read the settings.
  package func know(safeModeAfter limit: Int) {
    state.withLock { state in
      let before = state.record
      state.record.know(limit: limit)
      if !state.isOver, state.record != before { save(&state) }
    }
  }

  /// Records the reason why this host ends. The start then counts as failed.
  /// - Parameter isOfSettings: whether it ends because its settings have errors.
  package func fail(_ reason: String, isOfSettings: Bool = false) {
    // Only the first reason counts. After `clear`, the start can't fail any more.
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    state.withLock { state in
      state.record.failed(
        because: reason.cut(toBytes: Self.longestReason), isOfSettings: isOfSettings)
      save(&state)
      Self.close(&state)
    }
  }

  /// Clears the record, because the host has run long enough or a person ended it.
  package func clear() {
    isOpen.store(false, ordering: .relaxed)
    state.withLock { state in
      // After a recorded failure, the end of the host wasn't requested.
      guard state.record.current?.reason == nil else { return }
      state.isOver = true
      state.record.clear()
      Self.close(&state)
      unlink(steps)
      if state.record == StartRecord() { unlink(path) } else { save(&state) }
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
  /// The text without blanks and line feeds around it.
  fileprivate var trimmed: String {
    let isBlank: (Character) -> Bool = { $0.isWhitespace || $0.isNewline }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
