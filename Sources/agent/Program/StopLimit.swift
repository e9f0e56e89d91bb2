internal import AgentSystem
internal import Glibc

/// Limits the time that the host takes to stop. A hanging disk or a fault of the host must not keep
/// a process that was asked to stop.
enum StopLimit {
  /// Ends the process if it still runs after this time. Called once.
  ///
  /// Rationale: a thread of its own needs nothing that could block. Acknowledged data is stored,
  /// and workers end with their host.
  static func begin(milliseconds: Int) {
    let limit = UInt32(clamping: max(0, milliseconds) / 1000 + 1)
    // A host without a thread for it still stops, without a limit.
    try? DetachedThread.start("agent-stop") {
      var rest = limit
      while rest > 0 { rest = sleep(rest) }
      let text = Array(
        "agent: the host didn't stop within \(limit) s of the request; it ends now.\n".utf8)
      _ = write(2, text, text.count)
      _exit(1)
    }
  }
}
