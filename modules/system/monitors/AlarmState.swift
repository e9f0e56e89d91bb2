/// How a value is compared with a bound.
enum Comparison: String, Decodable, Sendable {
  case above = ">"
  case atLeast = ">="
  case below = "<"
  case atMost = "<="
  case equal = "=="
  case unequal = "!="

  func holds(_ value: Double, _ bound: Double) -> Bool {
    switch self {
    case .above: value > bound
    case .atLeast: value >= bound
    case .below: value < bound
    case .atMost: value <= bound
    case .equal: value == bound
    case .unequal: value != bound
    }
  }

  /// The bound that ends an alarm: `margin` inside the one that began it.
  func inside(_ bound: Double, by margin: Double) -> Double {
    switch self {
    case .above, .atLeast: bound - margin
    case .below, .atMost: bound + margin
    case .equal, .unequal: bound
    }
  }

  /// For a sentence.
  var words: String {
    switch self {
    case .above: "above"
    case .atLeast: "at or above"
    case .below: "below"
    case .atMost: "at or below"
    case .equal: "equal to"
    case .unequal: "different from"
    }
  }
}

/// Whether a value is out of bounds, and for how long. Times are in milliseconds; they come from
/// events, so that their differences must not trap.
struct AlarmState: Sendable {
  /// What to say.
  enum Change: Equatable, Sendable {
    /// It has been out of bounds for long enough.
    case raised(since: Int64)
    /// It is back.
    case resolved(since: Int64)
  }

  private enum Phase {
    case calm
    case pending(since: Int64)
    case raised(since: Int64)
  }

  let comparison: Comparison
  let threshold: Double
  let hysteresis: Double
  let patience: Int64
  let cooldown: Int64

  private var phase = Phase.calm
  private var lastRaised: Int64?

  init(
    comparison: Comparison, threshold: Double, hysteresis: Double, patience: Int64, cooldown: Int64
  ) {
    self.comparison = comparison
    self.threshold = threshold
    self.hysteresis = hysteresis
    self.patience = patience
    self.cooldown = cooldown
  }

  /// Takes a value and says what changes with it.
  mutating func observe(_ value: Double, at time: Int64) -> Change? {
    switch phase {
    case .calm:
      guard comparison.holds(value, threshold) else { return nil }
      phase = .pending(since: time)
      return raiseIfDue(time)
    case .pending:
      guard comparison.holds(value, threshold) else {
        phase = .calm
        return nil
      }
      return raiseIfDue(time)
    case .raised(let since):
      // With a margin, a value that swings about the bound doesn't ring each time.
      let bound = comparison.inside(threshold, by: hysteresis)
      guard !comparison.holds(value, bound) else { return nil }
      phase = .calm
      return .resolved(since: since)
    }
  }

  private mutating func raiseIfDue(_ time: Int64) -> Change? {
    guard case .pending(let since) = phase, time &- since >= patience else { return nil }
    if let lastRaised, time &- lastRaised < cooldown { return nil }
    phase = .raised(since: since)
    lastRaised = time
    return .raised(since: since)
  }
}
