internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// The wall clock of an engine or a dispatcher. It notices that the clock was set or the machine
/// was suspended before any caller gets the new time, so that no lease, limit or heartbeat ends
/// early or late because of a jump. Safe from every thread.
package final class LeaseClock: Sendable {
  private struct State {
    var watch = ClockWatch()
    /// The sum of the jumps since the last ``takeJump()``, in milliseconds.
    var pending: Int64 = 0
    /// The number of jumps.
    var jumps: Int64 = 0
    /// The number of the latest jump that the database has applied. A number and no flag: the
    /// clock may jump again while the write that follows isn't durable yet.
    var applied: Int64 = 0
    var jumped: (@Sendable (Int64) -> Void)?
  }

  private let wall: @Sendable () -> Int64
  private let steady: (@Sendable () -> Duration)?
  private let boot: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - wall: Unix milliseconds.
  ///   - steady: a clock that only runs forward; nil if jumps aren't noticed.
  ///   - boot: identifies the start of the machine from which the steady clock counts.
  package init(
    wall: @escaping @Sendable () -> Int64, steady: (@Sendable () -> Duration)?, boot: String = ""
  ) {
    self.wall = wall
    self.steady = steady
    self.boot = boot
  }

  /// Calls `action` with the milliseconds of a jump before any caller gets the new time. It runs on
  /// the thread that asks for the time, with any lock held, this clock's too: it must take no lock
  /// and must not ask for the time.
  package func whenJumped(_ action: @escaping @Sendable (Int64) -> Void) {
    state.withLock { $0.jumped = action }
  }

  /// Unix milliseconds.
  package func now() -> Int64 {
    guard let steady else { return wall() }
    // Read within the lock: a sample from before a jump that is looked at after it would be a jump
    // back. The consequences of a jump are asked for there too, or another thread would see the new
    // time before.
    return state.withLock { state in
      let sample = ClockSample(wall: wall, steady: steady)
      let jump = state.watch.jump(at: sample).wholeMilliseconds
      state.pending = state.pending.adding(jump)
      if jump != 0 {
        state.jumps = state.jumps.adding(1)
        state.jumped?(jump)
      }
      return sample.wall.milliseconds
    }
  }

  /// The milliseconds that it has jumped since the last call, for moments that only memory has.
  package func takeJump() -> Int64 {
    state.withLock { state in
      defer { state.pending = 0 }
      return state.pending
    }
  }

  /// The number of the latest jump if the database hasn't applied it yet; else nil.
  var unappliedJump: Int64? {
    state.withLock { $0.jumps > $0.applied ? $0.jumps : nil }
  }

  /// Notes that the database has applied all jumps up to this one.
  func markApplied(_ number: Int64) {
    state.withLock { $0.applied = max($0.applied, number) }
  }

  /// A sample of both clocks; nil without a steady clock.
  func mark() -> ClockMark? {
    guard let steady else { return nil }
    let sample = ClockSample(wall: wall, steady: steady)
    return ClockMark(
      boot: boot, wall: sample.wall.milliseconds, steady: sample.steady.wholeMilliseconds)
  }

  /// Distrusts the clock for an hour: a comparison with the database shows that it may be wrong.
  func distrust() {
    guard let steady else { return }
    state.withLock { $0.watch.distrust(at: steady()) }
  }

  /// Whether ages may be computed by it; false for an hour after a jump.
  package var isTrusted: Bool {
    guard let steady else { return true }
    let sample = ClockSample(wall: wall, steady: steady)
    return state.withLock { $0.watch.isTrusted(at: sample) }
  }
}
