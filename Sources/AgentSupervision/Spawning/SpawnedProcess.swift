import CSupervision
import Glibc

/// A process that this one has started, with the host's ends of its descriptors.
struct SpawnedProcess: Sendable {
  let pid: Int32
  let pidfd: Int32
  /// Non-blocking.
  let socket: Int32?
  /// Non-blocking.
  let crash: Int32?
  /// Standard output and standard error, non-blocking.
  let output: Int32?
  /// The start in Unix milliseconds.
  let startedAt: Int64

  /// Sends a signal to the process and to its group, where its children may be. The process must
  /// not have been reaped, because its group's number could be reused then.
  func signal(_ number: Int32) {
    _ = cs_pidfd_signal(pidfd, number)
    _ = kill(-pid, number)
  }

  /// Reaps the process and returns its exit. `nil` means that it still runs.
  func reap() -> ExitStatus? { end(cs_reap) }

  /// Returns the exit of the process without reaping it. `nil` means that it still runs.
  func peek() -> ExitStatus? { end(cs_peek) }

  private typealias Wait = (Int32, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) ->
    Int32

  private func end(_ wait: Wait) -> ExitStatus? {
    var code: Int32 = 0
    var status: Int32 = 0
    switch wait(pidfd, &code, &status) {
    case 1: return ExitStatus(code: code, status: status)
    case 0: return nil
    default: return .unknown
    }
  }

  func closeDescriptors() {
    for descriptor in [pidfd, socket, crash, output] {
      if let descriptor { _ = close(descriptor) }
    }
  }
}

extension ExitStatus {
  /// Converts the fields that `waitid` fills in.
  init(code: Int32, status: Int32) {
    self =
      code == CLD_EXITED
      ? .exited(code: status) : .signalled(signal: status, core: code == CLD_DUMPED)
  }
}

extension SpawnedProcess {
  /// Whether the process hasn't ended yet.
  var isAlive: Bool {
    var descriptor = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) == 0
  }
}
