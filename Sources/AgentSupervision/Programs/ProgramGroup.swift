import Glibc

/// The processes that a program has left in its process group after its own end.
struct ProgramGroup {
  let number: Int32

  /// Waits until no process of the group runs, at most five seconds. A killed process doesn't end
  /// at once, and the same program may be started again only when the earlier one is gone. A
  /// process that hangs in the kernel may take any time.
  ///
  /// Blocks: call it on a thread of its own.
  func waitUntilGone() {
    let deadline = ContinuousClock.now + .seconds(5)
    // Most often there is nobody, and that costs one call.
    while kill(-number, 0) == 0, isAlive, ContinuousClock.now < deadline { usleep(500) }
  }

  /// Zombies may stay, where the first process of a container doesn't wait for them.
  private var isAlive: Bool {
    ProcessTable.scan().processes.contains { $0.group == number && !$0.isZombie }
  }
}
