import Glibc

/// Finds the file behind a command's executable.
enum ExecutablePath {
  /// Returns the executable itself if it contains a `/`. Otherwise returns the first match in the
  /// `PATH` of the command's environment.
  static func find(_ command: ChildCommand) throws(SpawnError) -> String {
    let name = command.executable
    if name.utf8.contains(UInt8(ascii: "/")) { return name }
    let path = searchPath(command.environment)
    for folder in path.split(separator: ":") {
      let candidate = "\(folder)/\(name)"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    throw SpawnError(
      isPermanent: true,
      message: "\(name): no such program in \(path). Install it, or give its whole path.",
      errno: ENOENT)
  }

  private static func searchPath(_ environment: [String]) -> Substring {
    let entry = environment.first { $0.hasPrefix("PATH=") }
    return entry?.dropFirst(5) ?? "/usr/local/bin:/usr/bin:/bin"
  }
}
