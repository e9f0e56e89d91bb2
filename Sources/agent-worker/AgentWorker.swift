import CCrashReport
import CSandbox
import CThreadStatistics
import Dispatch
import Glibc

/// The process for the library of one module. See `docs/protocol.md`.
///
/// It has no top-level code, because C callbacks that are created there trap on other threads.
@main struct AgentWorker {
  static func main() {
    guard let socket = descriptor("AGENT_WORKER_FD") else {
      Exit.now(64, "agent-worker is started by `agent`, with a socket named by AGENT_WORKER_FD.")
    }
    guard sandbox_end_with_parent(socket) == 0 else { Exit.now(0) }
    signal(SIGPIPE, SIG_IGN)
    sandbox_buffer_lines()
    thread_statistics_install()
    let crash = descriptor("AGENT_CRASH_FD")
    if let crash { crash_report_to(crash) }

    let connection = Connection(socket: socket)
    var startup = Startup(connection: connection, crash: crash)
    let loading = startup.run()
    let thread = ModuleThread(connection: connection)
    thread.post { $0.load(loading) }
    let receiver = Receiver(connection: connection, thread: thread, reader: startup.reader)
    Thread.start { receiver.run() }
    // Code of the main actor needs a main thread that doesn't block.
    dispatchMain()
  }

  private static func descriptor(_ name: String) -> Int32? {
    guard let text = getenv(name), let number = Int32(String(cString: text)), number >= 0,
      fcntl(number, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    return number
  }
}
