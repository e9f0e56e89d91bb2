import Glibc

/// Where the repository and the built executables are.
enum Places {
  /// The repository: this file is four levels below it.
  static let repository = parent(parent(parent(parent(real(#filePath)))))

  /// The folder of `agent`, `agent-worker` and `agent-launch`: `$AGENT_BIN`, or where the test bundle
  /// is, which the same build made.
  static let executables =
    getenv("AGENT_BIN").map { String(cString: $0) } ?? parent(real("/proc/self/exe"))

  static let agent = "\(executables)/agent"

  static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func real(_ path: String) -> String {
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    return resolved.map { String(cString: $0) } ?? path
  }
}
