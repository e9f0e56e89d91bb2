/// Limits a child's output: a burst at once, and a rate per second over time.
public struct RateLimit: Sendable {
  private let burst: Double
  private let perSecond: Double
  private let lineBytes: Double
  private var left: Double
  private var filledAt: LoopInstant?
  private var refused = 0

  /// A full one for lines or records.
  public init(_ limits: OutputLimits = OutputLimits()) {
    burst = Double(limits.burst)
    perSecond = Double(limits.linesPerSecond)
    lineBytes = Double(limits.lineBytes)
    left = burst
  }

  /// Whether the latest was refused, or the next one will be.
  public var isExceeded: Bool { refused > 0 || left < 1 }

  /// Adds the allowance for the time since the last call.
  public mutating func refill(at now: LoopInstant) {
    defer { filledAt = now }
    guard let filledAt else { return }
    left = min(burst, left + max(0, (now - filledAt).seconds * perSecond))
  }

  /// Takes one: how many were refused since the last that wasn't. `nil` when this one is refused.
  public mutating func take() -> Int? { take(bytes: 0) }

  /// Takes one of this length, which counts for as many as it has the length of the longest line.
  public mutating func take(bytes: Int) -> Int? {
    guard left >= 1 else {
      refused += 1
      return nil
    }
    left -= max(1, Double(bytes) / lineBytes)
    return takeRefused()
  }

  /// Takes for bytes that belong to nothing that could be kept or refused; what follows waits for it.
  public mutating func spend(bytes: Int) { left -= Double(bytes) / lineBytes }

  /// How many were refused at the end.
  public mutating func takeRefused() -> Int {
    defer { refused = 0 }
    return refused
  }
}
