package import AgentSupervision

/// The state of a process or of a service worker, as `agent status`, the API and the metrics have
/// it.
package enum ProcessState: String, Sendable, CaseIterable, Codable {
  /// Somebody stopped it, or it isn't started yet.
  case stopped = "STOPPED"
  /// Its worker runs and isn't ready yet.
  case starting = "STARTING"
  case running = "RUNNING"
  /// Its worker was asked to stop.
  case stopping = "STOPPING"
  /// Its worker ended. It restarts after a pause.
  case backingOff = "BACKING-OFF"
  /// It ended too often, its work failed, or it can't be started.
  case failed = "FAILED"
  /// Its work is done.
  case finished = "FINISHED"
  /// A service worker that nobody has needed yet.
  case idle = "IDLE"
  /// The settings don't enable it.
  case disabled = "DISABLED"

  package init(_ child: ChildState) {
    self =
      switch child {
      case .stopped: .stopped
      case .starting: .starting
      case .running: .running
      case .stopping: .stopping
      case .backingOff: .backingOff
      case .failed, .finished(succeeded: false): .failed
      case .finished(succeeded: true): .finished
      }
  }

  /// Whether nothing is wrong with an enabled process in this state.
  package var isFine: Bool {
    switch self {
    case .running, .finished, .idle: true
    case .stopped, .starting, .stopping, .backingOff, .failed, .disabled: false
    }
  }

  /// Whether there is a worker, which may have read what the host keeps for it.
  package var hasWorker: Bool {
    switch self {
    case .starting, .running, .stopping: true
    case .stopped, .backingOff, .failed, .finished, .idle, .disabled: false
    }
  }
}
