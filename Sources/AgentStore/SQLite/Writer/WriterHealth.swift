/// Whether the writer can write, and when it tries again. Pure: time is given.
struct WriterHealth {
  private(set) var condition = StoreCondition.ready
  private var attempts = 0
  private var isRetryDue = false
  /// How often in a row damage was found, by a statement or by a reading of the whole file.
  private var findings = 0

  /// Milliseconds before the first try; each try after that waits twice as long.
  static let firstDelay: Int64 = 100
  /// The longest wait between two tries, in milliseconds.
  static let longestDelay: Int64 = 5_000
  /// Milliseconds before a file whose damage is confirmed is read once more.
  static let damagedDelay: Int64 = 60_000
  /// This many findings in a row are damage, when the last of them is a reading of the whole file
  /// over a connection of its own. Rationale: a disk that fails for a moment gives pages that don't
  /// fit together, too, and a person who reads of damage throws away a file that is sound a second
  /// later.
  static let confirmingFindings = 2

  /// What an error comes from.
  enum Source {
    case statement
    /// A reading of the whole file, or opening it.
    case reading
  }

  /// A transaction, a checkpoint or a try failed.
  /// - Returns: after how many milliseconds to try again; nil when a try is due or under way.
  mutating func failed(_ error: StoreError, by source: Source, now: Int64) -> Int64? {
    condition = condition(after: error, source, since: condition.obstacle?.since ?? now)
    // One try at a time, however many writes fail until then.
    guard !isRetryDue else { return nil }
    isRetryDue = true
    // Read again all the same: the disk or its controller may be well again (docs/store.md).
    if case .corrupt = condition { return Self.damagedDelay }
    defer { attempts += 1 }
    // The bound of 10 keeps the shift from overflowing; 100 ms × 2^10 is beyond the longest delay.
    return min(Self.longestDelay, Self.firstDelay << Int64(min(attempts, 10)))
  }

  private mutating func condition(
    after error: StoreError, _ source: Source, since: Int64
  ) -> StoreCondition {
    func obstacle(_ message: String) -> StoreCondition.Obstacle {
      StoreCondition.Obstacle(since: since, message: message)
    }
    guard error.code == .corrupt else {
      // Another kind of error says nothing of damage, so the findings aren't in a row any more.
      findings = 0
      return error.code == .full ? .full(obstacle(error.message)) : .faulty(obstacle(error.message))
    }
    findings = source == .reading ? min(findings + 1, Self.confirmingFindings) : max(findings, 1)
    // A statement's finding alone is never damage: a reading of the whole file has to confirm it.
    guard findings >= Self.confirmingFindings, source == .reading else {
      return .faulty(
        obstacle(
          "The data read from the database is inconsistent. A second full read decides "
            + "whether it is damaged."))
    }
    return .corrupt(
      obstacle(
        "Two full reads found that the database is damaged. Stop the host, keep a copy of its "
          + "files, and restore a backup."))
  }

  /// Whether the next reading looks at indexes, too: a statement may have met damage there, which a
  /// quick reading doesn't see.
  var suspectsDamage: Bool { findings > 0 }

  /// Called when the next try begins.
  mutating func retries() { isRetryDue = false }

  /// Called when a reading of the whole file begins. Until it has ended there is no other try.
  mutating func reads() { isRetryDue = true }

  /// Called when a transaction that has written something is durable.
  mutating func recovered() {
    condition = .ready
    attempts = 0
    findings = 0
  }

  mutating func closed() { condition = .closed }

  /// Why a write can't be tried now; nil when it can be.
  func refusal(of kind: WriteKind) -> StoreError? {
    switch condition {
    case .ready: nil
    // A write that makes space is tried, or a log at its own limit would never recover.
    case .full where kind == .freeing: nil
    case .full(let obstacle): StoreError(.full, obstacle.message)
    case .faulty(let obstacle): StoreError(.fault, obstacle.message)
    case .corrupt(let obstacle): StoreError(.corrupt, obstacle.message)
    case .closed: .closed
    }
  }
}

extension StoreError {
  static let closed = StoreError(.closed, "The database was closed.")
}
