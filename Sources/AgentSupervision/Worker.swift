/// One process of a child, with its channel and what is watched of it.
final class Worker {
  /// Unique in the supervisor, never used twice.
  let generation: UInt64
  let process: SpawnedProcess
  let isSpare: Bool
  var channel: (any WorkerChannel)?
  var lines: OutputLines
  var exitWatch: LoopRegistration?
  var outputWatch: LoopRegistration?
  /// From the moment its exit is known; its channel and its pid aren't to be used any more.
  var isGone = false
  /// How it ended, from the moment that is known.
  var exit: ExitStatus?
  /// When the process became this child's, in Unix milliseconds: a spare was there long before.
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
