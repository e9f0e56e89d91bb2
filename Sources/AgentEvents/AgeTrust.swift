internal import AgentSystem

/// Whether the clock may be believed when it says how old something is.
///
/// Rationale: a machine without a clock of its own begins at any time, and is then set by the network.
/// Whoever removes by age at that moment removes everything, for good. Sizes need no clock.
struct AgeTrust: Sendable {
  /// A clock that has gone on by more than this between two looks, which are a minute apart, was set,
  /// or the machine has slept. In milliseconds.
  static let jump: Int64 = 600_000
  /// A clock that is further than this beyond the newest event when the host starts may be wrong.
  static let gap: Int64 = 86_400_000
  /// For how long it isn't believed then.
  static let delay: Int64 = 3_600_000

  /// The timestamp of the newest event when the log was opened.
  private var newest: Int64?
  private var last: Int64?
  private var heldUntil: Int64?

  init() {}

  /// The log is opened. What is stored from now on may have its time from a clock that is wrong.
  /// - Parameter newest: the timestamp of the newest event that isn't ahead of the clock.
  mutating func opened(newest: Int64?) { self.newest = newest }

  /// Looks at the clock.
  mutating func trusts(_ now: Int64) -> Bool {
    let before = last
    last = now
    guard let before else {
      if isLate(now) { hold(now) }
      return heldUntil == nil
    }
    // A clock that was set back is believed: less is old then.
    if now < before { heldUntil = nil }
    if now.subtracting(before) > Self.jump { hold(now) }
    if let end = heldUntil, now >= end { heldUntil = nil }
    return heldUntil == nil
  }

  /// Whether it isn't believed, as far as the last look at it says.
  func isHeld(at now: Int64) -> Bool {
    last == nil ? isLate(now) : heldUntil.map { now < $0 } ?? false
  }

  /// Whether nobody has been here for long, or the clock is wrong.
  private func isLate(_ now: Int64) -> Bool {
    newest.map { now.subtracting($0) > Self.gap } ?? false
  }

  private mutating func hold(_ now: Int64) {
    heldUntil = now.adding(Self.delay)
  }

}
