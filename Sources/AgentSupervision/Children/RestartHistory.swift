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
  private var neverReadyInARow = 0

  /// Takes in an exit. `readyFor`: how long the child had been ready, `nil`: it never was.
  /// `isHindered`: the host itself lacked what children need, so the exit doesn't count towards
  /// giving up. `random` is uniform in 0..<1.
  mutating func exited(
    at now: LoopInstant, readyFor: Duration?, isHindered: Bool = false, policy: RestartPolicy,
    random: () -> Double
  ) -> Decision {
    let isHealthy = readyFor.map { $0 >= policy.healthyAfter } ?? false
    note(now, isHealthy: isHealthy, isHindered: isHindered, policy: policy)
    if !isHindered {
      neverReadyInARow = readyFor == nil ? neverReadyInARow + 1 : 0
      if let reason = reasonToGiveUp(at: now, policy) { return .giveUp(reason: reason) }
    }
    let severity = max(exits.count, unhealthyInARow)
    if readyFor != nil, severity <= 1 { return .again(after: .zero) }
    return .again(after: pause(severity: max(1, severity - 1), policy.backOff, random()))
  }

  /// Clears the history: somebody retries by hand.
  mutating func forget() {
    self = RestartHistory()
  }

  /// Ends before READY count by their number in a row: each may take as long as READY may, so that
  /// a window would forget the first before the last comes.
  private func reasonToGiveUp(at now: LoopInstant, _ policy: RestartPolicy) -> String? {
    let forgiven = max(0, policy.intensity)
    if let first = unhealthyExits.first, unhealthyExits.count > forgiven {
      let count = unhealthyExits.count
      let often = count == 1 ? "once" : "\(count) times within \((now - first).forPeople)"
      return "it ended \(often) without having been healthy"
    }
    guard neverReadyInARow > forgiven else { return nil }
    return "it ended \(neverReadyInARow) times in a row before it was ready"
  }

  private mutating func note(
    _ now: LoopInstant, isHealthy: Bool, isHindered: Bool, policy: RestartPolicy
  ) {
    exits.removeAll { now - $0 >= Self.minute }
    exits.append(now)
    unhealthyExits.removeAll { now - $0 >= policy.intensityPeriod }
    if isHealthy {
      unhealthyInARow = 0
    } else {
      unhealthyInARow += 1
      if !isHindered { unhealthyExits.append(now) }
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
    return .seconds(max(least, min(seconds, 1e9)))
  }
}
