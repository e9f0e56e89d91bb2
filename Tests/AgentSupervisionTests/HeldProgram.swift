import AgentSupervision
import Glibc
import TestSupport
import Testing

/// A program whose execution waits, as on a file system that doesn't answer.
///
/// Its file is under a lease (fcntl(2), F_SETLEASE). The kernel lets nobody open it until the holder
/// closes it, or 45 seconds are over.
final class HeldProgram {
  /// Glibc declares them for GNU programs only.
  private static let (setLease, getLease): (Int32, Int32) = (1024, 1025)

  let path: String
  private let folder: TemporaryFolder
  private var descriptor: Int32 = -1

  /// - Parameter script: what the program does. Its file isn't open while it does that.
  init(_ script: String) throws {
    folder = try TemporaryFolder()
    path = folder.path + "/program"
    let text = "#!/bin/sh\nexec /bin/sh -c '\(script)'\n"
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
    try #require(file >= 0 && write(file, text, text.utf8.count) == text.utf8.count)
    close(file)
    // The kernel sends it to the holder of a lease that somebody waits for.
    signal(SIGIO, SIG_IGN)
  }

  deinit { release() }

  /// Lets the program's executions wait from now on.
  func hold() async throws {
    // Not for writing: a program that somebody writes to can't be executed.
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    // Children that other tests start have its descriptor for a moment.
    try await eventually("there is a lease") {
      fcntl(descriptor, Self.setLease, Int32(F_WRLCK)) == 0
    }
  }

  /// Returns once an execution waits.
  func isAwaited() async throws {
    try await eventually("an execution waits") {
      fcntl(descriptor, Self.getLease, 0) != Int32(F_WRLCK)
    }
  }

  /// Lets the program be executed.
  func release() {
    guard descriptor >= 0 else { return }
    // With it goes the lease.
    close(descriptor)
    descriptor = -1
  }

  /// A child that executes it.
  func spec(
    _ name: String, restart: RestartPolicy = .init(),
    timeouts: ChildTimeouts = .init(ready: .seconds(200), pingInterval: nil),
    spareKey: String? = nil
  ) -> ChildSpec {
    ChildSpec(
      name: name,
      command: ChildCommand(executable: path, environment: ["PATH=/usr/bin:/bin"]),
      restart: restart, timeouts: timeouts, spareKey: spareKey)
  }
}
