/// A token bucket for a child's output: a burst at once, and a rate per second over time.
public struct RateLimit: Sendable {
  private let burst: Double
  private let perSecond: Double
  private let lineBytes: Double
  private var left: Double
  private var filledAt: LoopInstant?
  private var refused = 0

  /// Makes a full bucket for lines or records.
  public init(_ limits: OutputLimits = OutputLimits()) {
    burst = Double(limits.burst)
    perSecond = Double(limits.linesPerSecond)
    lineBytes = Double(limits.lineBytes)
    left = burst
  }

  /// Whether the latest line was refused, or the next one will be.
  public var isExceeded: Bool { refused > 0 || left < 1 }

  /// Adds the lines for the time since the last call.
  public mutating func refill(at now: LoopInstant) {
    defer { filledAt = now }
    guard let filledAt else { return }
    left = min(burst, left + max(0, (now - filledAt).seconds * perSecond))
  }

  /// Takes a line. Returns how many were refused since the last accepted one, or `nil` if this one
  /// is refused.
  public mutating func take() -> Int? { take(bytes: 0) }

  /// Takes a line of this length. A longer line counts several times: once for each `lineBytes`.
  public mutating func take(bytes: Int) -> Int? {
    guard left >= 1 else {
      refused += 1
      return nil
    }
    left -= max(1, Double(bytes) / lineBytes)
    return takeRefused()
  }

  /// Takes bytes that belong to no line. Later lines wait for them.
  public mutating func spend(bytes: Int) { left -= Double(bytes) / lineBytes }

  /// Returns the number of refused lines, and resets it.
  public mutating func takeRefused() -> Int {
    defer { refused = 0 }
    return refused
  }
}
