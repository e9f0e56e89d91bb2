import CSupervision
import Glibc

/// A process that has been started and loads its program beside the host. It has to be finished.
final class SpawnUnderWay {
  let process: SpawnedProcess
  private var spawning: OpaquePointer?
  private let executable: String
  private let command: ChildCommand
  private let known: KnownChildren

  init(
    _ process: SpawnedProcess, _ spawning: OpaquePointer, _ executable: String,
    _ command: ChildCommand, _ known: KnownChildren
  ) {
    self.process = process
    self.spawning = spawning
    self.executable = executable
    self.command = command
    self.known = known
  }

  deinit {
    try? finish()
  }

  /// Waits until the program is loaded. When it can't be, nothing is left of the process.
  func finishOrClose() throws(SpawnError) {
    do {
      try finish()
    } catch {
      process.closeDescriptors()
      throw error
    }
  }

  /// Waits until the program is loaded. When it can't be, the process is gone, and its descriptors
  /// are to be closed.
  func finish() throws(SpawnError) {
    guard let spawning else { return }
    self.spawning = nil
    var result = cs_result()
    result.pid = process.pid
    result.pidfd = process.pidfd
    let hasFailed = known.reaping(process.pid) {
      cs_spawn_finish(spawning, &result) == 0 ? nil : true
    }
    guard hasFailed != nil else { return }
    throw SpawnError(stage: Int(result.stage), errno: result.error, executable, command)
  }
}
