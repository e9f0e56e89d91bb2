internal import AgentJSON
internal import AgentStore
internal import Synchronization

/// Collects the log lines and the progress of a running attempt. They are buffered while former
/// ones are being stored, so that an attempt with many lines needs few commits.
final class TaskNotes: Sendable {
  private struct State {
    var lines: [TaskLogLine] = []
    var progress: JSONValue?
    var isStoring = false
    var dropped = 0
    var waiter: CheckedContinuation<Void, Never>?

    var isEmpty: Bool { !isStoring && lines.isEmpty && progress == nil }

    /// Returns the caller of `end` if nothing is left to store, else `nil`.
    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      guard isEmpty else { return nil }
      defer { waiter = nil }
      return waiter
    }
  }

  /// The largest number of buffered lines. Further lines are dropped and counted.
  private static let maxWaiting = 1_000
  /// The longest line, in characters. Longer ones are truncated.
  private static let longestLine = 8_000

  private let task: TaskRow
  private let store: (any Store)?
  private let keep: Int
  private let now: @Sendable () -> Int64
  private let state = Mutex(State())

  init(_ task: TaskRow, store: (any Store)?, keep: Int, now: @escaping @Sendable () -> Int64) {
    self.task = task
    self.store = store
    self.keep = keep
    self.now = now
  }

  /// Adds a line of the log. Never blocks.
  func log(_ stream: String, _ text: String) {
    state.withLock { state in
      guard state.lines.count < Self.maxWaiting else {
        state.dropped += 1
        return
      }
      state.lines.append(line(stream, String(text.prefix(Self.longestLine))))
    }
    flush()
  }

  /// Replaces the progress. One that is too large is reported in the log instead. Never blocks.
  func progress(_ value: JSONValue) {
    let bytes = value.bytes().count
    guard bytes <= TaskBounds.progressBytes else {
      return log(
        "agent",
        "A report of progress was left out: it has \(bytes) bytes, and may have "
          + "\(TaskBounds.progressBytes).")
    }
    state.withLock { $0.progress = value }
    flush()
  }

  private func line(_ stream: String, _ text: String) -> TaskLogLine {
    TaskLogLine(
      task: task.id, timestamp: now(), attempt: task.attempt, stream: stream, text: text)
  }

  /// Waits until everything is stored or has failed. Called once, after the last line.
  func end() async {
    if state.withLock({ $0.isEmpty }) { return }
    await withCheckedContinuation { waiter in
      state.withLock { $0.waiter = waiter }
      flush()
      // The last write may have ended before the waiter was set.
      state.withLock { $0.takeWaiter() }?.resume()
    }
  }

  /// Stores the buffered lines and the progress. While a write is in progress it does nothing. The
  /// end of that write calls it again.
  func flush() {
    let next = state.withLock { state -> (lines: [TaskLogLine], progress: JSONValue?)? in
      guard !state.isStoring, !state.lines.isEmpty || state.progress != nil else { return nil }
      if state.dropped > 0 {
        state.lines.append(line("agent", "\(state.dropped) lines came too fast and were left out."))
      }
      defer {
        state.lines = []
        state.progress = nil
        state.dropped = 0
      }
      state.isStoring = true
      return (state.lines, state.progress)
    }
    guard let next else { return }
    guard let store else { return state.withLock { $0.isStoring = false } }
    let task = task
    let keep = keep
    let moment = now()
    store.submit(.savepoint) { transaction in
      // The task may have been cancelled by force and removed. Then the lines would never be
      // removed.
      guard let row = try transaction.tasks.task(task.id) else { return }
      try transaction.tasks.append(next.lines, keep: keep)
      guard let progress = next.progress else { return }
      let lease = TaskLease(task: task.id, attempt: task.attempt, owner: task.owner ?? "")
      _ = try TaskTransition(in: transaction, at: moment).apply(to: row) { machine in
        try machine.heartbeat(lease, progress: progress, silence: nil)
      }
    } completion: { [weak self] (_: Result<Void, any Error>) in
      self?.state.withLock { $0.isStoring = false }
      // Lines that arrived in the meantime are stored first. The waiter returns after the last one.
      self?.flush()
      self?.state.withLock { $0.takeWaiter() }?.resume()
    }
  }
}
