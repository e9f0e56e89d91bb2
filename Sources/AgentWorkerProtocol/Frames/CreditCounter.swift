/// The credit of a stream: the number of events that the other side is ready to receive.
public struct CreditCounter: Sendable, Equatable {
  /// The largest outstanding credit. A grant beyond it is cut, so that a sum never overflows.
  public static let maximum = 1 << 30

  /// The number of events that may still be sent.
  public private(set) var available: Int

  /// Creates a counter.
  public init(available: Int = 0) {
    self.available = available
  }

  /// Adds credit from the other side.
  public mutating func grant(_ count: Int) {
    available = min(Self.maximum, available + min(max(count, 0), Self.maximum))
  }

  /// Spends credit. Returns false, and spends nothing, if there is too little.
  public mutating func spend(_ count: Int) -> Bool {
    guard count >= 0, count <= available else { return false }
    available -= count
    return true
  }
}

/// Credit to return. It is collected until it is worth a frame.
public struct CreditReturn: Sendable, Equatable {
  private let batch: Int
  private var dealtWith = 0

  /// Creates a collector that returns credit in portions of a quarter of `window`.
  public init(window: Int) {
    batch = max(1, window / 4)
  }

  /// Counts processed events. Returns the credit to grant now, or 0 to wait for more.
  public mutating func add(_ count: Int) -> Int {
    dealtWith = min(CreditCounter.maximum, dealtWith + min(max(count, 0), CreditCounter.maximum))
    guard dealtWith >= batch else { return 0 }
    defer { dealtWith = 0 }
    return dealtWith
  }
}
