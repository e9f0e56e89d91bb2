internal import AgentJSON
internal import AgentSupervision
internal import AgentWorkers
internal import CSandbox
internal import Glibc

/// The facilities of the kernel for restricting and supervising workers.
struct KernelReport: Sendable, Hashable {
  /// The version of Landlock, or 0 if the kernel doesn't have it.
  var landlock: Int
  /// Whether the kernel can filter system calls.
  var hasSeccomp: Bool
  /// Whether the kernel has pidfds, which refer to a process even if its pid is reused.
  var hasProcessDescriptors: Bool
  /// The controllers of cgroup v2. `nil` if it isn't mounted.
  var controllers: [String]?
  /// The active security modules, among them Landlock. `nil` if the list can't be read.
  var securityModules: [String]?
  /// The largest number of user namespaces. `nil` if the kernel has none.
  var userNamespaces: Int?
  /// Whether systemd runs the machine.
  var hasSystemd: Bool

  /// Reads the values from the kernel.
  static func read() -> KernelReport {
    func words(_ path: String, _ separator: Character) -> [String]? {
      guard access(path, R_OK) == 0 else { return nil }
      return ProcessFile.read(path).split { $0 == separator || $0 == "\n" }.map(String.init)
    }
    return KernelReport(
      landlock: Int(sandbox_landlock_abi()),
      hasSeccomp: Fields(of: "/proc/self/status")["Seccomp"] != nil,
      hasProcessDescriptors: Supervisor.hasProcessDescriptors,
      controllers: words("/sys/fs/cgroup/cgroup.controllers", " "),
      securityModules: words("/sys/kernel/security/lsm", ","),
      userNamespaces: words("/proc/sys/user/max_user_namespaces", " ")?.first.flatMap { Int($0) },
      hasSystemd: access("/run/systemd/system", F_OK) == 0)
  }

  /// The report in the form of the API.
  var json: JSONValue {
    func list(_ words: [String]?) -> JSONValue {
      words.map { .array($0.map { .string($0) }) } ?? .null
    }
    return [
      "landlock_abi": JSONValue(landlock), "seccomp": .bool(hasSeccomp),
      "pidfd": .bool(hasProcessDescriptors), "cgroup_controllers": list(controllers),
      "security_modules": list(securityModules),
      "user_namespaces": userNamespaces.map { JSONValue($0) } ?? .null,
      "systemd": .bool(hasSystemd),
    ]
  }
}
