internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// The wall clock of an engine or a dispatcher. It detects that the clock was set or the machine
/// was suspended before any caller gets the new time. Therefore, no lease, limit or heartbeat ends
/// early or late because of a jump. Safe from every thread.
package final class LeaseClock: Sendable {
  private struct State {
    var watch = ClockWatch()
    /// The sum of the jumps since the last ``takeJump()``, in milliseconds.
    var pending: Int64 = 0
    /// The number of jumps.
    var jumps: Int64 = 0
    /// The number of the latest jump that the database has applied. It is a number and not a flag,
    /// because the clock may jump again before the write for the first jump is durable.
    var applied: Int64 = 0
    /// The action of ``whenJumped(_:)``.
    var jumped: (@Sendable (Int64) -> Void)?
  }

  private let wall: @Sendable () -> Int64
  private let steady: (@Sendable () -> Duration)?
  private let boot: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - wall: Unix milliseconds.
  ///   - steady: a monotonic clock; `nil` disables the detection of jumps.
  ///   - boot: identifies the start of the machine, from which the steady clock counts.
  package init(
    wall: @escaping @Sendable () -> Int64, steady: (@Sendable () -> Duration)?, boot: String = ""
  ) {
    self.wall = wall
    self.steady = steady
    self.boot = boot
  }

  /// Registers an action for jumps of the clock, in milliseconds.
  ///
  /// The action is called before any caller gets the new time, on the thread that called ``now()``.
  /// That thread may hold any lock, and it holds this clock's lock. Therefore, the action must not
  /// take a lock and must not read this clock.
  package func whenJumped(_ action: @escaping @Sendable (Int64) -> Void) {
    state.withLock { $0.jumped = action }
  }

  /// Returns the current time in Unix milliseconds. Jumps are detected here.
  package func now() -> Int64 {
    guard let steady else { return wall() }
    // The clocks are read within the lock. A sample from before a jump that is examined after it
    // would look like a jump back. The action is called within the lock too. Otherwise, another
    // thread could see the new time before the action runs.
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

  /// Returns the sum of the jumps since the last call, in milliseconds. It is for times that are
  /// kept only in memory.
  package func takeJump() -> Int64 {
    state.withLock { state in
      defer { state.pending = 0 }
      return state.pending
    }
  }

  /// The number of the latest jump if the database hasn't applied it yet, else `nil`.
  var unappliedJump: Int64? {
    state.withLock { $0.jumps > $0.applied ? $0.jumps : nil }
  }

  /// Records that the database has applied all jumps up to this one.
  func markApplied(_ number: Int64) {
    state.withLock { $0.applied = max($0.applied, number) }
  }

  /// Returns a sample of both clocks, or `nil` without a steady clock.
  func mark() -> ClockMark? {
    guard let steady else { return nil }
    let sample = ClockSample(wall: wall, steady: steady)
    return ClockMark(
      boot: boot, wall: sample.wall.milliseconds, steady: sample.steady.wholeMilliseconds)
  }

  /// Marks the clock as untrusted for an hour, because a comparison with the database shows that it
  /// may be wrong.
  func distrust() {
    guard let steady else { return }
    state.withLock { $0.watch.distrust(at: steady()) }
  }

  /// Whether ages may be computed from this clock. False for an hour after a jump.
  package var isTrusted: Bool {
    guard let steady else { return true }
    let sample = ClockSample(wall: wall, steady: steady)
    return state.withLock { $0.watch.isTrusted(at: sample) }
  }
}
