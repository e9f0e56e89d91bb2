/// Credit for one stream: how many events the other side is ready to take.
public struct CreditCounter: Sendable, Equatable {
  /// The largest outstanding credit. A grant beyond it is cut, so that a sum never overflows.
  public static let maximum = 1 << 30

  /// Events that may still be sent.
  public private(set) var available: Int

  /// Makes a ledger with nothing granted.
  public init(available: Int = 0) {
    self.available = available
  }

  /// Adds the credit that the other side granted.
  public mutating func grant(_ count: Int) {
    available = min(Self.maximum, available + min(max(count, 0), Self.maximum))
  }

  /// Spends credit; false, and nothing is spent, when there is too little.
  public mutating func spend(_ count: Int) -> Bool {
    guard count >= 0, count <= available else { return false }
    available -= count
    return true
  }
}

/// Credit on its way back: collected until it is worth a frame.
public struct CreditReturn: Sendable, Equatable {
  private let batch: Int
  private var dealtWith = 0

  /// Returns credit in portions of a quarter of `window`.
  public init(window: Int) {
    batch = max(1, window / 4)
  }

  /// Counts processed events. Returns how much credit to grant now, 0 for none yet.
  public mutating func add(_ count: Int) -> Int {
    dealtWith = min(CreditCounter.maximum, dealtWith + min(max(count, 0), CreditCounter.maximum))
    guard dealtWith >= batch else { return 0 }
    defer { dealtWith = 0 }
    return dealtWith
  }
}
