import Glibc

/// Ends the process. `exit` would run the destructors of the module while its threads still run.
enum Exit {
  static func now(_ status: Int32, _ message: String? = nil) -> Never {
    if let message {
      let line = Array("agent-worker: \(message)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
    }
    fflush(nil)
    _exit(status)
  }
}
