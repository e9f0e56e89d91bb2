internal import AgentModules
internal import Glibc

/// Where this program and what belongs to it are: beside one another in a build, under a prefix
/// when installed (`PREFIX/bin/agent`, `PREFIX/libexec/agent/agent-worker`).
package struct WorkerInstallation: Sendable {
  /// The worker that serves library modules.
  package let worker: String
  /// The launcher that puts a command into its sandbox.
  let launcher: String

  /// Programs at known places.
  package init(worker: String, launcher: String) {
    self.worker = worker
    self.launcher = launcher
  }

  /// Looks beside the running program; an error names what is missing and where it was looked for.
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
