/// Remembers a child's exits and says what follows the next one.
struct RestartHistory: Sendable {
  enum Decision: Equatable {
    case again(after: Duration)
    case giveUp(reason: String)
  }

  private static let minute: Duration = .seconds(60)

  private var exits: [LoopInstant] = []
  private var unhealthyExits: [LoopInstant] = []
  private var unhealthyInARow = 0

  /// Takes in an exit. `readyFor`: how long the child had been ready, `nil`: it never was.
  /// `random` is uniform in 0..<1.
  mutating func exited(
    at now: LoopInstant, readyFor: Duration?, policy: RestartPolicy, random: () -> Double
  ) -> Decision {
    let isHealthy = readyFor.map { $0 >= policy.healthyAfter } ?? false
    note(now, isHealthy: isHealthy, policy: policy)
    if unhealthyExits.count > max(0, policy.intensity) {
      let count = unhealthyExits.count
      let often =
        count == 1 ? "once" : "\(count) times within \((now - unhealthyExits[0]).forPeople)"
      return .giveUp(reason: "it ended \(often) without having been healthy")
    }
    let severity = max(exits.count, unhealthyInARow)
    if readyFor != nil, severity <= 1 { return .again(after: .zero) }
    return .again(after: pause(severity: max(1, severity - 1), policy.backOff, random()))
  }

  /// Forgets everything: somebody retries by hand.
  mutating func forget() {
    self = RestartHistory()
  }

  private mutating func note(_ now: LoopInstant, isHealthy: Bool, policy: RestartPolicy) {
    exits.removeAll { now - $0 >= Self.minute }
    exits.append(now)
    unhealthyExits.removeAll { now - $0 >= policy.intensityPeriod }
    if isHealthy {
      unhealthyInARow = 0
    } else {
      unhealthyInARow += 1
      unhealthyExits.append(now)
    }
  }

  /// Doubles with each exit, and lies somewhere in the upper half of that, so that children that
  /// fell together don't get up together.
  private func pause(severity: Int, _ bounds: ClosedRange<Duration>, _ random: Double) -> Duration {
    let least = bounds.lowerBound.seconds
    let greatest = bounds.upperBound.seconds
    var longest = 2 * least
    for _ in 1..<max(1, min(severity, 32)) { longest *= 2 }
    longest = min(longest, greatest)
    let seconds = longest * (0.5 + 0.5 * random)
    return .nanoseconds(Int64(max(least, min(seconds, 1e9)) * 1e9))
  }
}
