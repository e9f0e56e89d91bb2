internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentWorkers
internal import CSandbox
internal import Glibc

/// Reads the kernel's facilities for restricting workers.
enum KernelFacilities {
  static var all: [FeatureReport.Need] {
    let landlock = sandbox_landlock_abi()
    return [
      FeatureReport.Need(
        name: "landlock", isThere: landlock > 0,
        detail: landlock > 0
          ? "version \(landlock): files are fenced\(landlock >= 4 ? ", ports too" : "")"
          : "the kernel has none: files aren't fenced"),
      FeatureReport.Need(
        name: "seccomp", isThere: hasSeccomp,
        detail: hasSeccomp ? "system calls are filtered" : "system calls aren't filtered"),
    ]
  }

  // A kernel without seccomp doesn't have this line.
  private static var hasSeccomp: Bool {
    ProcessFile.read("/proc/self/status").contains("\nSeccomp:")
  }
}

/// The installed Debian packages.
struct SystemPackages {
  private let names: Set<Substring>

  init() {
    // The file `libffi8:amd64.list` belongs to the package libffi8.
    names = Set(
      FileSystem.names(in: "/var/lib/dpkg/info").filter { $0.hasSuffix(".list") }
        .map { $0.dropLast(5).prefix { $0 != ":" } })
  }

  func has(_ name: String) -> Bool { names.contains(Substring(name)) }
}

/// Finds programs as a shell does.
package enum Programs {
  package static func find(_ name: String, beside folder: String) -> String? {
    if name.contains("/") {
      let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
      return access(path, X_OK) == 0 ? path : nil
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    for directory in path.split(separator: ":") where access("\(directory)/\(name)", X_OK) == 0 {
      return "\(directory)/\(name)"
    }
    return nil
  }
}
