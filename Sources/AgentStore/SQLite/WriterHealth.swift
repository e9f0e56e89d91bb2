/// Whether the writer can write, and when it tries again.
struct WriterHealth {
  private(set) var condition = StoreCondition.ready
  private var attempts = 0
  private var isRetryDue = false

  /// Milliseconds before the first further try; each one after that waits twice as long.
  static let firstDelay: Int64 = 100
  /// The longest wait between two tries.
  static let longestDelay: Int64 = 5_000

  /// A transaction, a checkpoint or a try failed.
  /// - Returns: after how many milliseconds to try again; nil when that wouldn't help or is under way.
  mutating func failed(_ error: StoreError, now: Int64) -> Int64? {
    let obstacle = StoreCondition.Obstacle(
      since: condition.obstacle?.since ?? now, message: error.message)
    switch error.code {
    case .corrupt:
      condition = .corrupt(obstacle)
      return nil
    case .full: condition = .full(obstacle)
    default: condition = .faulty(obstacle)
    }
    guard !isRetryDue else { return nil }
    isRetryDue = true
    defer { attempts += 1 }
    return min(Self.longestDelay, Self.firstDelay << Int64(min(attempts, 10)))
  }

  /// The next try begins.
  mutating func retries() { isRetryDue = false }

  /// A transaction is durable.
  mutating func recovered() {
    condition = .ready
    attempts = 0
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
