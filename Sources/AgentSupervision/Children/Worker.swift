/// One process of a child, with its channel and its registrations with the loop.
final class Worker {
  /// Unique in the supervisor, never used twice.
  let generation: UInt64
  let process: SpawnedProcess
  let isSpare: Bool
  var channel: (any WorkerChannel)?
  var lines: OutputLines
  var exitWatch: LoopRegistration?
  var outputWatch: LoopRegistration?
  /// True from the moment its exit is known. Don't use its channel and its pid then.
  var isGone = false
  /// How it ended; `nil` until that is known.
  var exit: ExitStatus?
  /// When the process was given to this child, in Unix milliseconds. A spare was started earlier.
  let startedAt: Int64
  /// Unix microseconds.
  var readyAt: Int64?
  /// Until its program has been loaded.
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

  /// Waits until the program is loaded. When it can't be, the process is gone already.
  func finishSpawn() throws(SpawnError) {
    try spawn?.finish()
    spawn = nil
  }
}
