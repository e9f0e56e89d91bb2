internal import AgentSupervision
internal import AgentSystem
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Hands a process that supervision has started to the thread that examines it: the supervisor
/// only starts it, reports when it is gone, and ends it when it doesn't go.
final class TrialChannel: WorkerChannel {
  let pid: Int32
  /// A descriptor of its own for the host's end: the supervisor closes the other one when the
  /// process is gone, in the middle of what this side does.
  let socket: Int32
  /// The same for the crash pipe.
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

  /// How the process ended; nil while it runs.
  var exit: ExitStatus? { status.withLock { $0 } }

  /// Waits for the end of the process; blocks.
  func awaitExit(_ limit: Duration) -> ExitStatus? {
    if let exit { return exit }
    let milliseconds = Int(clamping: limit.wholeMilliseconds)
    if gone.wait(timeout: .now() + .milliseconds(max(0, milliseconds))) == .success {
      gone.signal()
    }
    return exit
  }
}
