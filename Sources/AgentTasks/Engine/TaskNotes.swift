internal import AgentJSON
internal import AgentStore
internal import Synchronization

/// Collects the log lines and the progress of a running attempt. They are buffered while former
/// ones are being stored, so that an attempt with many lines needs few commits. A write that the disk
/// refuses is tried again, in order.
final class TaskNotes: Sendable {
  private struct State {
    var lines: [TaskLogLine] = []
    var progress: JSONValue?
    /// Whether a write is in progress, or the pause after a failed one.
    var isStoring = false
    /// Whether a failed write is tried again.
    var isRetrying = false
    var dropped = 0
    /// The number of the task's last line before the latest write has added its lines. Nil if it
    /// hasn't added any.
    var before: Int64?
    var waiter: CheckedContinuation<Void, Never>?

    var isEmpty: Bool { !isStoring && lines.isEmpty && progress == nil }

    /// Returns the caller of `end` if nothing is left to store or the rest must be tried again, else
    /// `nil`.
    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      guard isEmpty || isRetrying else { return nil }
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
  private let pause: @Sendable (Duration) async throws -> Void
  private let isStopping: @Sendable () -> Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - keep: the number of lines that the task keeps.
  ///   - pause: waits for a duration.
  ///   - isStopping: whether the host ends. Then nothing is tried again.
  init(
    _ task: TaskRow, store: (any Store)?, keep: Int, now: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (Duration) async throws -> Void,
    isStopping: @escaping @Sendable () -> Bool
  ) {
    self.task = task
    self.store = store
    self.keep = keep
    self.now = now
    (self.pause, self.isStopping) = (pause, isStopping)
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

  /// Waits until everything is stored, or the first try of it has failed. Called once, after the last
  /// line. It doesn't wait for a full disk: the attempt has ended, and its slot is free.
  func end() async {
    if state.withLock({ $0.isEmpty || $0.isRetrying }) { return }
    await withCheckedContinuation { waiter in
      state.withLock { $0.waiter = waiter }
      flush()
      // The last write may have ended before the waiter was set.
      state.withLock { $0.takeWaiter() }?.resume()
    }
  }

  /// The lines and the progress of a write.
  private struct Batch {
    var lines: [TaskLogLine] = []
    var progress: JSONValue?
    /// The number after which the lines are stored if an earlier write has stored them although it
    /// reported an error. Nil if there was no such write.
    var doubt: Int64?
  }

  /// Stores the buffered lines and the progress. While a write is in progress it does nothing. The
  /// end of that write calls it again.
  func flush() {
    let next = state.withLock { state -> Batch? in
      guard !state.isStoring, !state.lines.isEmpty || state.progress != nil else { return nil }
      if state.dropped > 0 {
        state.lines.append(
          line("agent", "\(state.dropped) lines came too fast and were left out."))
      }
      defer {
        state.lines = []
        state.progress = nil
        state.dropped = 0
      }
      state.isStoring = true
      return Batch(lines: state.lines, progress: state.progress)
    }
    if let next { submit(next) }
  }

  private func submit(_ batch: Batch) {
    guard let store else { return state.withLock { $0.isStoring = false } }
    state.withLock { $0.before = nil }
    store.submit(.savepoint) { [self] transaction in
      try write(batch, in: transaction)
    } completion: { [self] (outcome: Result<Void, any Error>) in
      if case .failure(let error as StoreError) = outcome, error.mayPass, !isStopping() {
        return retry(batch, after: error)
      }
      state.withLock { state in (state.isStoring, state.isRetrying) = (false, false) }
      // Lines that arrived in the meantime are stored first. The waiter returns after the last one.
      flush()
      state.withLock { $0.takeWaiter() }?.resume()
    }
  }

  /// Writes a batch. Called on the writer's thread.
  private func write(_ batch: Batch, in transaction: any StoreTransaction) throws {
    // The task may have been cancelled by force and removed. Then the lines would never be removed.
    guard let row = try transaction.tasks.task(task.id) else { return }
    if try !isStored(batch, in: transaction.tasks) {
      let before = try transaction.tasks.append(batch.lines, keep: keep)
      state.withLock { $0.before = before }
    }
    guard let progress = batch.progress else { return }
    let lease = TaskLease(task: task.id, attempt: task.attempt, owner: task.owner ?? "")
    do {
      _ = try TaskTransition(in: transaction, at: now()).apply(to: row) { machine in
        try machine.heartbeat(lease, progress: progress, silence: nil)
      }
    } catch is TaskError {
      // The lease has ended. Its progress no longer counts, but its lines do.
    }
  }

  /// Whether an earlier write has stored the lines although it reported an error.
  private func isStored(_ batch: Batch, in tasks: any TaskStorage) throws -> Bool {
    guard let doubt = batch.doubt else { return false }
    // Only these notes write lines of this attempt.
    return try tasks.logLines(of: task.id, after: doubt, limit: Self.maxWaiting)
      .contains { $0.attempt == task.attempt }
  }

  /// Tries a batch again after a second, and nothing else before it. Lines that arrive in the
  /// meantime are buffered.
  private func retry(_ batch: Batch, after error: StoreError) {
    var again = batch
    // Every other error says that nothing was stored. An earlier doubt stays.
    if error.isDoubtful { again.doubt = state.withLock(\.before) ?? batch.doubt }
    let waiter = state.withLock { state in
      state.isRetrying = true
      return state.takeWaiter()
    }
    waiter?.resume()
    Task { [self, again] in
      try? await pause(.seconds(1))
      submit(again)
    }
  }
}
