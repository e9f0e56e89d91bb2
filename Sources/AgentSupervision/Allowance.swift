/// So many at once, and so many a second over time: what a child may say before it is too much.
public struct Allowance: Sendable {
  private let burst: Double
  private let perSecond: Double
  private var left: Double
  private var filledAt: LoopInstant?

  /// A full one.
  public init(burst: Int, perSecond: Int) {
    self.burst = Double(burst)
    self.perSecond = Double(perSecond)
    left = self.burst
  }

  /// Adds what has been gained until now.
  public mutating func refill(at now: LoopInstant) {
    defer { filledAt = now }
    guard let filledAt else { return }
    left = min(burst, left + max(0, (now - filledAt).seconds * perSecond))
  }

  /// Takes one, if there is one.
  public mutating func take() -> Bool {
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
