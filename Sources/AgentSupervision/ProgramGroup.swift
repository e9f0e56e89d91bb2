import Glibc

/// What a program has left of its process group when it has ended itself.
struct ProgramGroup {
  let number: Int32

  /// Who is killed doesn't end at once: waits until nobody of the group runs any more, so that who
  /// does the same next is alone with it. For a thread of its own; at most a few seconds, since who
  /// hangs in the kernel may take any time.
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
