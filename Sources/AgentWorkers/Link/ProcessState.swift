package import AgentSupervision

/// The state of a process or of a service worker, for `agent status`, the API and the metrics.
package enum ProcessState: String, Sendable, CaseIterable, Codable {
  /// The process was stopped, or it isn't started yet.
  case stopped = "STOPPED"
  /// Its worker runs but isn't ready yet.
  case starting = "STARTING"
  case running = "RUNNING"
  /// Its worker was asked to stop.
  case stopping = "STOPPING"
  /// Its worker ended. The process restarts after a pause.
  case backingOff = "BACKING-OFF"
  /// The process ended too often, its work failed, or it can't be started.
  case failed = "FAILED"
  /// Its work is done.
  case finished = "FINISHED"
  /// A service worker that isn't started because no call has needed it yet.
  case idle = "IDLE"
  /// The settings don't enable the process.
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

  /// Whether an enabled process in this state is healthy.
  package var isFine: Bool {
    switch self {
    case .running, .finished, .idle: true
    case .stopped, .starting, .stopping, .backingOff, .failed, .disabled: false
    }
  }

  /// Whether the process has a worker in this state. The worker may have read the state that the
  /// host stores for it.
  package var hasWorker: Bool {
    switch self {
    case .starting, .running, .stopping: true
    case .stopped, .backingOff, .failed, .finished, .idle, .disabled: false
    }
  }
}
