/// The exits of a child. It decides what follows the next one.
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

  /// Records an exit and decides what follows.
  /// - Parameters:
  ///   - readyFor: how long the child had been ready. `nil` means that it never was.
  ///   - isHindered: whether the host itself lacked what children need. Such an exit doesn't count
  ///     towards giving up.
  ///   - random: uniform in 0..<1.
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
    // Exits within a minute count even if each was healthy, so that a fast cycle slows down.
    let severity = max(exits.count, unhealthyInARow)
    // One exit of a child that was ready is probably an accident, so the restart needs no pause.
    if readyFor != nil, severity <= 1 { return .again(after: .zero) }
    // That first restart was free, so the pauses are counted from the second exit on.
    return .again(after: pause(severity: max(1, severity - 1), policy.backOff, random()))
  }

  /// Clears the history. Called when a person retries.
  mutating func forget() {
    self = RestartHistory()
  }

  /// Returns why the child is given up, or `nil`. Exits before READY count by their number in a
  /// row, not by a window. Each may take as long as the time for READY, so a window would forget
  /// the first one before the last one comes.
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

  /// Returns a pause that doubles with each exit. It lies at random in the upper half of that time,
  /// so that children that ended together don't start together.
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
