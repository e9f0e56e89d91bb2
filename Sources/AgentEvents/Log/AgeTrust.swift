internal import AgentSystem

/// Whether the clock may be believed when it says how old something is.
///
/// Rationale: a machine without a clock of its own begins at any time, and the network sets the
/// clock later. Removing by age at that moment removes everything, for good. Sizes need no clock.
struct AgeTrust: Sendable {
  /// A clock that went on by more than this between two looks, which are a minute apart, was set,
  /// or the machine has slept. In milliseconds.
  static let jump: Int64 = 600_000
  /// A clock that is further than this beyond the newest event when the host starts may be wrong.
  /// In milliseconds.
  static let gap: Int64 = 86_400_000
  /// For how long the clock isn't believed then, in milliseconds.
  static let delay: Int64 = 3_600_000

  /// The timestamp of the newest event when the log was opened.
  private var newest: Int64?
  private var last: Int64?
  private var heldUntil: Int64?

  init() {}

  /// Called when the log is opened, and not later: what is stored from then on may have its time
  /// from a clock that is wrong.
  /// - Parameter newest: the timestamp of the newest event that isn't ahead of the clock.
  mutating func opened(newest: Int64?) { self.newest = newest }

  /// Looks at the clock. Called before each removal, once a minute.
  /// - Returns: whether ages may be believed.
  mutating func trusts(_ now: Int64) -> Bool {
    let before = last
    last = now
    guard let before else {
      // The first look: there is none before it to compare with, so the newest event stands for it.
      if isLate(now) { hold(now) }
      return heldUntil == nil
    }
    // A clock that was set back is believed: fewer events are old then.
    if now < before { heldUntil = nil }
    if now.subtracting(before) > Self.jump { hold(now) }
    if let end = heldUntil, now >= end { heldUntil = nil }
    return heldUntil == nil
  }

  /// Whether the clock isn't believed, as far as the last look says. Changes nothing.
  func isHeld(at now: Int64) -> Bool {
    last == nil ? isLate(now) : heldUntil.map { now < $0 } ?? false
  }

  /// Whether the host was away for long, or the clock is wrong; both look the same.
  private func isLate(_ now: Int64) -> Bool {
    newest.map { now.subtracting($0) > Self.gap } ?? false
  }

  private mutating func hold(_ now: Int64) {
    heldUntil = now.adding(Self.delay)
  }

}
