package import AgentSupervision
internal import AgentSystem

/// Logs the events of supervised processes.
package enum SupervisionLog {
  package static func write(_ event: SupervisionEvent, to log: LogHub) {
    guard let (level, message) = describe(event.kind) else { return }
    log.log(level, message, source: event.name)
  }

  private static func describe(_ kind: SupervisionEvent.Kind) -> (LogLevel, String)? {
    switch kind {
    case .spawned(let pid, let isSpare):
      (.debug, isSpare ? "A warm spare takes over, pid \(pid)." : "The worker has pid \(pid).")
    case .spareStarted(let pid): (.debug, "A warm spare waits, pid \(pid).")
    case .ready: (.debug, "The worker is ready.")
    case .started: (.info, "It runs.")
    case .stopping(let reason):
      reason.map { (.warning, "It is being ended: \($0)") } ?? (.debug, "It is asked to stop.")
    case .exited(let exit, let reason):
      (exit.isSuccess && reason == nil ? .debug : .warning, "The worker ended: \(exit).")
    case .restarting(let pause):
      pause == .zero
        ? (.info, "It is restarted.")
        : (.warning, "It restarts in \(pause.wholeMilliseconds) ms.")
    case .stopped: (.info, "It has stopped.")
    case .failed(let reason): (.error, "FAILED: \(reason)")
    case .finished(let succeeded):
      succeeded ? (.info, "Its work is done.") : (.warning, "Its work has ended with a failure.")
    case .limitExceeded(let message): (.warning, message)
    case .output(let line): (.info, line)
    case .outputDropped(let lines):
      (.warning, "\(lines) lines of its output were dropped: they came too fast.")
    case .orphansKilled(let count):
      (.warning, "\(count) processes that it had left behind were ended.")
    case .problem(let message): (.warning, message)
    }
  }
}
