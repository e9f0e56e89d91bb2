internal import AgentJSON
internal import AgentSupervision
internal import AgentWorkers
internal import CSandbox
internal import Glibc

/// The kernel's facilities for containing and watching workers.
struct KernelReport: Sendable, Hashable {
  /// The version of landlock; 0 for none.
  var landlock: Int
  /// Whether system calls can be filtered.
  var hasSeccomp: Bool
  /// Whether processes can be watched without a race for their numbers.
  var hasProcessDescriptors: Bool
  /// The controllers of the second version of control groups; nil where that isn't mounted.
  var controllers: [String]?
  /// The security modules that are active, landlock among them; nil where that can't be read.
  var securityModules: [String]?
  /// How many user namespaces may be made; nil where the kernel has none.
  var userNamespaces: Int?
  /// Whether systemd runs the machine.
  var hasSystemd: Bool

  /// Asks the kernel.
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

  /// The report as the API gives it.
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
