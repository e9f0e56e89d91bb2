import Glibc

/// A program whose execution waits, as on a file system that doesn't answer.
///
/// Its file is under a lease (fcntl(2), F_SETLEASE). The kernel lets nobody open it until the holder
/// closes it, or 45 seconds are over.
package final class HeldProgram {
  /// Less than the kernel lets an execution wait.
  package static let soon = Duration.seconds(30)
  /// Glibc declares them for GNU programs only.
  private static let (setLease, getLease): (Int32, Int32) = (1024, 1025)

  package let path: String
  private let folder: TestFolder
  private var descriptor: Int32 = -1

  /// - Parameter script: what the program does. Its file isn't open while it does that.
  package init(_ script: String) throws {
    folder = try TestFolder()
    path = try folder.writeProgram("program", "#!/bin/sh\nexec /bin/sh -c '\(script)'\n")
    // The kernel sends it to the holder of a lease that somebody waits for.
    signal(SIGIO, SIG_IGN)
  }

  deinit { release() }

  /// Lets the program's executions wait from now on.
  package func hold() async throws {
    // Not for writing: a program that somebody writes to can't be executed.
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    // Children that other tests start have its descriptor for a moment.
    try await eventually("there is a lease") {
      fcntl(descriptor, Self.setLease, Int32(F_WRLCK)) == 0
    }
  }

  /// Returns once an execution waits.
  package func isAwaited() async throws {
    try await eventually("an execution waits") {
      fcntl(descriptor, Self.getLease, 0) != Int32(F_WRLCK)
    }
  }

  /// Lets the program be executed.
  package func release() {
    guard descriptor >= 0 else { return }
    // With it goes the lease.
    close(descriptor)
    descriptor = -1
  }
}
