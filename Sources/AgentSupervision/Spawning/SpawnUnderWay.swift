import CSupervision
import Glibc

/// A process that was started and still loads its program. The caller must finish it.
final class SpawnUnderWay {
  let process: SpawnedProcess
  private var spawning: OpaquePointer?
  private let executable: String
  private let command: ChildCommand
  private let known: KnownChildren

  init(
    process: SpawnedProcess, spawning: OpaquePointer, executable: String,
    command: ChildCommand, known: KnownChildren
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

  /// Waits until the program is loaded. If that fails, the process and its descriptors are gone.
  func finishOrClose() throws(SpawnError) {
    do {
      try finish()
    } catch {
      process.closeDescriptors()
      throw error
    }
  }

  /// Waits until the program is loaded. If that fails, the process is gone, and the caller closes
  /// its descriptors.
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
