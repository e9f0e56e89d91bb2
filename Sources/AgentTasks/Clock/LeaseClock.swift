internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// The wall clock of an engine or a desk. It notices when that was set, or the machine was suspended,
/// before anybody goes by what it says: no lease, limit or sign of life is to end, or to last longer,
/// because a clock has jumped.
package final class LeaseClock: Sendable {
  private struct State {
    var watch = ClockWatch()
    /// How far it has jumped since somebody last asked.
    var pending: Int64 = 0
    /// How often it has jumped.
    var jumps: Int64 = 0
    /// Up to which of these jumps what is stored has followed.
    var followed: Int64 = 0
    var jumped: (@Sendable (Int64) -> Void)?
  }

  private let wall: @Sendable () -> Int64
  private let steady: (@Sendable () -> Duration)?
  private let boot: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - wall: Unix milliseconds.
  ///   - steady: a clock that only ever runs forward; nil where the wall clock is taken for one.
  ///   - boot: which start of the machine the steady clock counts from.
  package init(
    wall: @escaping @Sendable () -> Int64, steady: (@Sendable () -> Duration)?, boot: String = ""
  ) {
    (self.wall, self.steady, self.boot) = (wall, steady, boot)
  }

  /// Calls `action` with how many milliseconds the clock has jumped, before anybody hears its new
  /// time; with any lock held, this clock's too, so that it must take none and must not ask for the
  /// time.
  package func whenJumped(_ action: @escaping @Sendable (Int64) -> Void) {
    state.withLock { $0.jumped = action }
  }

  /// Unix milliseconds.
  package func now() -> Int64 {
    guard let steady else { return wall() }
    // Read within the lock: a reading from before a jump that is looked at after it would be a jump
    // back. What follows from a jump is asked for there too, or another thread would hear the new
    // time before.
    return state.withLock { state in
      let reading = ClockReading(wall: wall, steady: steady)
      let jump = state.watch.jump(at: reading).wholeMilliseconds
      state.pending = state.pending.adding(jump)
      if jump != 0 {
        state.jumps = state.jumps.adding(1)
        state.jumped?(jump)
      }
      return reading.wall.milliseconds
    }
  }

  /// How far it has jumped since the last call, for what is remembered beside the database.
  package func takeJump() -> Int64 {
    state.withLock { state in
      defer { state.pending = 0 }
      return state.pending
    }
  }

  /// The number of a jump that what is stored hasn't followed yet; nil where there is none.
  var unfollowed: Int64? {
    state.withLock { $0.jumps > $0.followed ? $0.jumps : nil }
  }

  /// What is stored has followed all jumps up to this one.
  func followed(_ number: Int64) {
    state.withLock { $0.followed = max($0.followed, number) }
  }

  /// What both clocks show; nil where there is no steady one.
  func mark() -> ClockMark? {
    guard let steady else { return nil }
    let reading = ClockReading(wall: wall, steady: steady)
    return ClockMark(
      boot: boot, wall: reading.wall.milliseconds, steady: reading.steady.wholeMilliseconds)
  }

  /// Somebody else has found out that it may be wrong.
  func distrust() {
    guard let steady else { return }
    state.withLock { $0.watch.distrust(at: steady()) }
  }

  /// Whether it says how old something is: not for an hour after it has jumped.
  package var isTrusted: Bool {
    guard let steady else { return true }
    let reading = ClockReading(wall: wall, steady: steady)
    return state.withLock { $0.watch.isTrusted(at: reading) }
  }
}
