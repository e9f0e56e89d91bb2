import CSupervision
import Glibc

/// A process that was started and may still look for its program and load it.
///
/// Nobody waits for that without a limit: on a file system that doesn't answer it takes for ever,
/// and the loop that starts processes also handles all others. A program that couldn't be loaded ends
/// its process, which the watch of the process shows.
final class SpawnUnderWay {
  let process: SpawnedProcess
  let command: ChildCommand
  private var spawning: OpaquePointer?
  private let known: KnownChildren

  /// How long a start waits for its program, so that most starts say at once why they fail. A
  /// program in memory takes less than a millisecond.
  static let patience: Duration = .milliseconds(50)
  /// How long a process may take to end that couldn't load its program.
  private static let longestEnd: Int32 = 1_000

  init(
    process: SpawnedProcess, spawning: OpaquePointer, command: ChildCommand, known: KnownChildren
  ) {
    self.process = process
    self.spawning = spawning
    self.command = command
    self.known = known
  }

  deinit {
    // While it loads, the process uses the memory of the spawn. That is lost then.
    if !isLoading() { _ = failure() }
  }

  /// Whether the program is still being loaded. Waits for that, `limit` at most.
  func isLoading(after limit: Duration = .zero) -> Bool {
    guard let spawning else { return false }
    return cs_spawn_is_loading(spawning, limit.clampedNanoseconds) != 0
  }

  /// Returns why the program of a process couldn't be loaded, once. `nil` if it is loaded, or if the
  /// process was ended before. The process isn't reaped. Not to be called while it is loading.
  func failure() -> SpawnError? {
    guard let spawning else { return nil }
    self.spawning = nil
    var result = cs_result()
    guard cs_spawn_finish(spawning, &result) != 0 else { return nil }
    return SpawnError(result, command)
  }

  /// Waits until the program is loaded, `limit` at most. If loading has failed, the process is gone,
  /// and the caller closes its descriptors.
  /// - Returns: whether the program is loaded. `false` while it is still being loaded.
  func isLoaded(within limit: Duration) throws(SpawnError) -> Bool {
    if isLoading(after: limit) { return false }
    guard let failure = failure() else { return true }
    var descriptor = pollfd(fd: process.pidfd, events: Int16(POLLIN), revents: 0)
    // It is ending already. The lock of the known children isn't held meanwhile.
    _ = poll(&descriptor, 1, Self.longestEnd)
    _ = known.reaping(process.pid, process.reap)
    throw failure
  }
}
