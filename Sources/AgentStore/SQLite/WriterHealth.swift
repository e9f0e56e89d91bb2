/// Whether the writer can write, and when it tries again.
struct WriterHealth {
  private(set) var condition = StoreCondition.ready
  private var attempts = 0
  private var isRetryDue = false
  /// How often in a row damage was found: by a statement, or by reading the whole file.
  private var findings = 0

  /// Milliseconds before the first further try; each one after that waits twice as long.
  static let firstDelay: Int64 = 100
  /// The longest wait between two tries.
  static let longestDelay: Int64 = 5_000
  /// How long a file whose damage is confirmed is left alone before it is read once more.
  static let damagedDelay: Int64 = 60_000
  /// So many findings in a row, the last of them a reading of the whole file over a connection of
  /// its own, are damage. Rationale: a disk that fails for a moment gives pages that don't fit
  /// together, too, and who is told of damage throws away what is sound a second later.
  static let confirmingFindings = 2

  /// Where an error comes from.
  enum Source {
    case statement
    /// A reading of the whole file, or opening it.
    case reading
  }

  /// A transaction, a checkpoint or a try failed.
  /// - Returns: after how many milliseconds to try again; nil when a try is due or under way.
  mutating func failed(_ error: StoreError, by source: Source, now: Int64) -> Int64? {
    condition = condition(after: error, source, since: condition.obstacle?.since ?? now)
    guard !isRetryDue else { return nil }
    isRetryDue = true
    if case .corrupt = condition { return Self.damagedDelay }
    defer { attempts += 1 }
    return min(Self.longestDelay, Self.firstDelay << Int64(min(attempts, 10)))
  }

  private mutating func condition(
    after error: StoreError, _ source: Source, since: Int64
  ) -> StoreCondition {
    func obstacle(_ message: String) -> StoreCondition.Obstacle {
      StoreCondition.Obstacle(since: since, message: message)
    }
    guard error.code == .corrupt else {
      findings = 0
      return error.code == .full ? .full(obstacle(error.message)) : .faulty(obstacle(error.message))
    }
    findings = source == .reading ? min(findings + 1, Self.confirmingFindings) : max(findings, 1)
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

  /// Whether the next reading is to look at indexes, too: a statement may have met damage that a
  /// quick one doesn't see.
  var suspectsDamage: Bool { findings > 0 }

  /// The next try begins.
  mutating func retries() { isRetryDue = false }

  /// A reading of the whole file begins: until it has ended there is no other try.
  mutating func reads() { isRetryDue = true }

  /// A transaction that has written something is durable.
  mutating func recovered() {
    condition = .ready
    attempts = 0
    findings = 0
  }

  mutating func closed() { condition = .closed }

  /// Why a write can't be tried now; nil when it can.
  func refusal(of kind: WriteKind) -> StoreError? {
    switch condition {
    case .ready: nil
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
