/// One process of a child, with its channel and its registrations with the loop.
final class Worker {
  /// Unique in the supervisor and never used twice.
  let generation: UInt64
  let process: SpawnedProcess
  let isSpare: Bool
  var channel: (any WorkerChannel)?
  var lines: OutputLines
  var exitWatch: LoopRegistration?
  var outputWatch: LoopRegistration?
  /// Whether its exit was processed. Its channel and its pid must not be used any more.
  var isGone = false
  /// Its exit. `nil` means that it isn't known.
  var exit: ExitStatus?
  /// The time of the exit, by the loop's clock.
  var endedAt: LoopInstant?
  /// The time when the process was given to this child, in Unix milliseconds. A spare was started
  /// earlier.
  let startedAt: Int64
  /// The time of READY in Unix microseconds.
  var readyAt: Int64?
  /// The start of its program. `nil` means that the program is known to be loaded.
  var spawn: SpawnUnderWay?

  init(
    generation: UInt64, _ process: SpawnedProcess, isSpare: Bool, output: OutputLimits
  ) {
    self.generation = generation
    self.process = process
    self.isSpare = isSpare
    startedAt = isSpare ? WallClock.milliseconds : process.startedAt
    lines = OutputLines(limits: output)
  }

  /// Waits until the program is loaded, `limit` at most. If loading has failed, the process is gone,
  /// and the caller closes its descriptors.
  func awaitProgram(within limit: Duration) throws(SpawnError) {
    guard let spawn, try spawn.isLoaded(within: limit) else { return }
    self.spawn = nil
  }

  /// Whether the process still loads its program, so that it has the memory of the host.
  var isLoading: Bool { spawn?.isLoading() ?? false }
}
