internal import AgentSystem

/// Decides whether the clock is trusted for the age of events.
///
/// Rationale: a machine without a battery-backed clock starts at any time, and the network sets the
/// clock later. A removal by age at that moment removes everything for good. Sizes need no clock.
struct AgeTrust: Sendable {
  /// The largest plausible advance of the clock between two checks, in milliseconds. They are a
  /// minute apart. After a larger one the clock was set, or the machine was suspended.
  static let jump: Int64 = 600_000
  /// The largest plausible distance of the clock from the newest event when the host starts, in
  /// milliseconds.
  static let gap: Int64 = 86_400_000
  /// How long the clock isn't trusted after that, in milliseconds.
  static let delay: Int64 = 3_600_000

  /// The timestamp of the newest event when the log was opened.
  private var newest: Int64?
  private var last: Int64?
  private var heldUntil: Int64?

  init() {}

  /// Records the newest event. Called when the log is opened and not later, because later events
  /// may have their time from a wrong clock.
  /// - Parameter newest: the timestamp of the newest event that isn't ahead of the clock.
  mutating func opened(newest: Int64?) { self.newest = newest }

  /// Checks the clock. Called before each removal, once a minute.
  /// - Returns: whether ages are trusted.
  mutating func trusts(_ now: Int64) -> Bool {
    let before = last
    last = now
    guard let before else {
      // This is the first check, so the clock is compared with the newest event.
      if isLate(now) { hold(now) }
      return heldUntil == nil
    }
    // A clock that was set back is trusted, because fewer events are old then.
    if now < before { heldUntil = nil }
    if now.subtracting(before) > Self.jump { hold(now) }
    if let end = heldUntil, now >= end { heldUntil = nil }
    return heldUntil == nil
  }

  /// Returns whether the clock isn't trusted since the last check. Changes nothing.
  func isHeld(at now: Int64) -> Bool {
    last == nil ? isLate(now) : heldUntil.map { now < $0 } ?? false
  }

  /// Returns whether the host was stopped for long or the clock is wrong. Both look the same.
  private func isLate(_ now: Int64) -> Bool {
    newest.map { now.subtracting($0) > Self.gap } ?? false
  }

  private mutating func hold(_ now: Int64) {
    heldUntil = now.adding(Self.delay)
  }

}
