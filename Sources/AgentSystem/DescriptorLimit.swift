internal import Glibc

/// The number of files, sockets and pipes that this process may have open at once
/// (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
  /// The host raises its limit no further: some programs that it starts go through all numbers up
  /// to the limit.
  private static let enough: rlim_t = 65_536

  /// The limit that is in force.
  package static var current: Int {
    Int(clamping: get()?.rlim_cur ?? 1024)
  }

  /// Raises the limit as far as the system allows, up to 65,536. Shells and systemd start programs
  /// with 1,024, which one client's connections could use up.
  package static func raise() {
    guard var limit = get(), limit.rlim_cur < enough else { return }
    limit.rlim_cur = min(limit.rlim_max, enough)
    // If it fails, the old limit stays in force, and the ports take fewer connections.
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static func get() -> rlimit? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return limit
  }
}
