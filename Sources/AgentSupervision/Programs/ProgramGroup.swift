import Glibc

/// The processes that a program has left in its process group.
struct ProgramGroup {
  let number: Int32

  /// Waits until no process of the group runs, five seconds at most. A killed process doesn't end
  /// at once, and the same program may start again only after its end. A process that hangs in the
  /// kernel may take any time.
  ///
  /// Blocks. Call it on a thread of its own.
  func waitUntilGone() {
    let deadline = ContinuousClock.now + .seconds(5)
    // Most groups are empty. Then this one call is enough.
    while kill(-number, 0) == 0, isAlive, ContinuousClock.now < deadline { usleep(500) }
  }

  /// Whether a process of the group isn't a zombie. Zombies may stay if the first process of a
  /// container doesn't reap them.
  private var isAlive: Bool {
    ProcessTable.scan().processes.contains { $0.group == number && !$0.isZombie }
  }
}
