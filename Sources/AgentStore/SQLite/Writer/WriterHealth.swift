/// The state of the writer: whether it can write, and when it retries. It reads no clock.
struct WriterHealth {
  private(set) var condition = StoreCondition.ready
  private var attempts = 0
  private var isRetryDue = false
  /// The number of consecutive findings of damage, by a statement or by reading the whole file.
  private var findings = 0

  /// The delay of the first retry in milliseconds. Each further delay is twice as long.
  static let firstDelay: Int64 = 100
  /// The longest delay between two retries in milliseconds.
  static let longestDelay: Int64 = 5_000
  /// The delay in milliseconds before a file with confirmed damage is read again.
  static let damagedDelay: Int64 = 60_000
  /// The number of consecutive findings that confirm damage. The last one must be a read of the
  /// whole file over its own connection. Rationale: a disk with a temporary error returns
  /// inconsistent pages too. After a wrong report of damage, a person might delete a file that is
  /// intact.
  static let confirmingFindings = 2

  /// The source of an error.
  enum Source {
    case statement
    /// Reading the whole file, or opening it.
    case reading
  }

  /// Records that a transaction, a checkpoint or a retry failed.
  /// - Returns: the delay until the next retry in milliseconds; `nil` if a retry is scheduled or
  ///   running.
  mutating func failed(_ error: StoreError, by source: Source, now: Int64) -> Int64? {
    condition = condition(after: error, source, since: condition.obstacle?.since ?? now)
    // Only one retry at a time, however many writes fail until then.
    guard !isRetryDue else { return nil }
    isRetryDue = true
    // The file is read again nevertheless, because the disk or its controller may recover
    // (docs/store.md).
    if case .corrupt = condition { return Self.damagedDelay }
    defer { attempts += 1 }
    // The limit of 10 prevents an overflow of the shift. 100 ms × 2^10 exceeds the longest delay.
    return min(Self.longestDelay, Self.firstDelay << Int64(min(attempts, 10)))
  }

  private mutating func condition(
    after error: StoreError, _ source: Source, since: Int64
  ) -> StoreCondition {
    func obstacle(_ message: String) -> StoreCondition.Obstacle {
      StoreCondition.Obstacle(since: since, message: message)
    }
    guard error.code == .corrupt else {
      // Another kind of error proves no damage, so the findings aren't consecutive.
      findings = 0
      return error.code == .full ? .full(obstacle(error.message)) : .faulty(obstacle(error.message))
    }
    findings = source == .reading ? min(findings + 1, Self.confirmingFindings) : max(findings, 1)
    // A statement's finding alone isn't confirmed damage. A read of the whole file must confirm it.
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

  /// Whether the next read checks the indexes too. A statement may have found damage there, which a
  /// quick check doesn't detect.
  var suspectsDamage: Bool { findings > 0 }

  /// Called when the next retry begins.
  mutating func retries() { isRetryDue = false }

  /// Called when a read of the whole file begins. Until it has ended, no other retry is scheduled.
  mutating func reads() { isRetryDue = true }

  /// Called when a test has shown that the disk takes writes.
  mutating func recovered() {
    condition = .ready
    attempts = 0
    findings = 0
  }

  mutating func closed() { condition = .closed }

  /// Returns the reason why a write can't be tried now, or `nil` if it can.
  func refusal(of kind: WriteKind) -> StoreError? {
    switch condition {
    case .ready: nil
    // A write that frees space is tried. Otherwise, a store at its own limit would never recover.
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
