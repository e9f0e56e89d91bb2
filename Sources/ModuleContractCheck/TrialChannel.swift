internal import AgentSupervision
internal import AgentSystem
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Connects a process that the supervisor started with the thread that checks it. The supervisor
/// only starts the process, reports its end, and kills it if necessary.
final class TrialChannel: WorkerChannel {
  let pid: Int32
  /// A duplicate of the host's end of the socket. The supervisor closes the original at the end of
  /// the process, while the check may still use it.
  let socket: Int32
  /// A duplicate of the crash pipe's end, for the same reason.
  let crash: Int32
  private let status = Mutex<ExitStatus?>(nil)
  private let gone = DispatchSemaphore(value: 0)

  init(_ connection: WorkerConnection) {
    pid = connection.pid
    socket = fcntl(connection.socket ?? -1, F_DUPFD_CLOEXEC, 0)
    crash = fcntl(connection.crash ?? -1, F_DUPFD_CLOEXEC, 0)
  }

  deinit {
    if socket >= 0 { Glibc.close(socket) }
    if crash >= 0 { Glibc.close(crash) }
  }

  func attach() {}
  func start() {}
  func ping() {}
  func stop(deadline: Duration) {}
  func exited() {}
  func drain() -> Bool { true }

  func close(_ exit: ExitStatus) {
    status.withLock { $0 = exit }
    gone.signal()
  }

  /// The exit of the process, or `nil` while it runs.
  var exit: ExitStatus? { status.withLock { $0 } }

  /// Blocks until the process has ended. Returns `nil` if it still runs after `limit`.
  func awaitExit(_ limit: Duration) -> ExitStatus? {
    if let exit { return exit }
    let milliseconds = Int(clamping: limit.wholeMilliseconds)
    if gone.wait(timeout: .now() + .milliseconds(max(0, milliseconds))) == .success {
      // The signal is passed on, so that a second wait returns at once too.
      gone.signal()
    }
    return exit
  }
}
