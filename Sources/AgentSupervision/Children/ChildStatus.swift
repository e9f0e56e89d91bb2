/// A child as `status` shows it.
public struct ChildStatus: Sendable, Equatable {
  /// The child's name.
  public var name: String
  public var state: ChildState
  /// Its process, while there is one.
  public var pid: Int32?
  /// When that process was started, in Unix milliseconds.
  public var startedAt: Int64?
  /// When that process was ready, in Unix microseconds.
  public var readyAt: Int64?
  /// How often the child was started again, since it was added.
  public var restarts: Int
  /// How the previous process ended.
  public var lastExit: ExitStatus?
  /// Why its previous process ended, or why it is FAILED; `nil` when that was asked for.
  public var reason: String?
}

/// The state of a child.
public enum ChildState: Sendable, Equatable {
  /// Nothing runs, and nothing should.
  case stopped
  /// A process runs that isn't ready yet.
  case starting
  /// The child is ready. `started`: it was asked to start its work and has confirmed that.
  case running(started: Bool)
  /// It was asked to stop.
  case stopping(StopStage)
  /// It is started again at this moment.
  case backingOff(until: LoopInstant)
  /// It ended too often, or can't be started; it stays so until somebody retries.
  case failed(reason: String)
  /// It ended by itself and isn't to be started again.
  case finished(succeeded: Bool)

  /// One word, as a list shows it: `RUNNING`, `BACKING-OFF`, …
  public var word: String {
    switch self {
    case .stopped: "STOPPED"
    case .starting: "STARTING"
    case .running: "RUNNING"
    case .stopping: "STOPPING"
    case .backingOff: "BACKING-OFF"
    case .failed: "FAILED"
    case .finished: "FINISHED"
    }
  }

  /// Whether the child stays as it is unless something happens from outside.
  public var isSettled: Bool {
    switch self {
    case .stopped, .failed, .finished, .running(started: true): true
    case .starting, .stopping, .backingOff, .running(started: false): false
    }
  }
}

/// How a child was asked to stop.
public enum StopStage: Sendable, Equatable {
  /// By a STOP on its channel.
  case asked
  /// By SIGTERM.
  case terminated
  /// By SIGKILL.
  case killed
}
