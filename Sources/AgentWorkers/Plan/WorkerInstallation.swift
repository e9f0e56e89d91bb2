internal import AgentModules
internal import Glibc

/// The paths of the programs that the host starts. In a build, they are in the folder of the host's
/// own program. In an installation, all are under a prefix (`PREFIX/bin/agent`,
/// `PREFIX/libexec/agent/agent-worker`).
package struct WorkerInstallation: Sendable {
  /// The worker that serves library modules.
  package let worker: String
  /// The launcher that puts a command into its sandbox.
  let launcher: String

  /// Creates an installation whose paths are known.
  package init(worker: String, launcher: String) {
    self.worker = worker
    self.launcher = launcher
  }

  /// Finds the programs, starting at the folder of the running program.
  /// - Throws: `failed`. The message names the missing program and the searched paths.
  package init() throws(HostError) {
    let folder = try Self.ownFolder()
    worker = try Self.find("agent-worker", from: folder)
    launcher = try Self.find("agent-launch", from: folder)
  }

  private static func ownFolder() throws(HostError) -> String {
    guard let path = FileSystem.realPath("/proc/self/exe") else {
      throw HostError(.failed, "It isn't known where this program is: /proc isn't mounted.")
    }
    return FileSystem.parent(path)
  }

  private static func find(_ name: String, from folder: String) throws(HostError) -> String {
    let candidates = ["\(folder)/\(name)", "\(folder)/../libexec/agent/\(name)"]
    for candidate in candidates where access(candidate, X_OK) == 0 { return candidate }
    throw HostError(
      .failed,
      "\(name) is missing: neither \(candidates.joined(separator: " nor ")) is there. Install "
        + "the agent again.")
  }
}
