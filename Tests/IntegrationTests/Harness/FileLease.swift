import Glibc
import Testing

/// A file that nobody can open, as on a file system that doesn't answer.
///
/// It is under a lease (fcntl(2), F_SETLEASE): the kernel lets others wait until the holder closes the
/// file, or for 45 seconds.
final class FileLease {
  /// Glibc declares them for GNU programs only.
  private static let (setLease, getLease): (Int32, Int32) = (1024, 1025)

  private let descriptor: Int32

  init(_ path: String) throws {
    // The kernel sends it to the holder of a lease that somebody waits for.
    signal(SIGIO, SIG_IGN)
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(fcntl(descriptor, Self.setLease, Int32(F_WRLCK)) == 0)
  }

  deinit { close(descriptor) }

  /// Whether nobody has tried to open the file.
  var isHeld: Bool { fcntl(descriptor, Self.getLease, 0) == Int32(F_WRLCK) }
}

extension Child {
  /// Whether a thread of this name waits in a function of the kernel.
  func hasThread(_ name: String, waitingIn function: String) -> Bool {
    TemporaryFolder.names(in: "/proc/\(pid)/task").contains { thread in
      let folder = "/proc/\(pid)/task/\(thread)"
      let comm = (try? TemporaryFolder.bytes(ofFile: "\(folder)/comm")) ?? []
      let place = (try? TemporaryFolder.bytes(ofFile: "\(folder)/wchan")) ?? []
      return String(decoding: comm, as: UTF8.self).hasPrefix(name)
        && String(decoding: place, as: UTF8.self).contains(function)
    }
  }
}
