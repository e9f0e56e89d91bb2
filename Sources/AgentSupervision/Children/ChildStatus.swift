/// The status of a child for `status`.
public struct ChildStatus: Sendable, Equatable {
  public var name: String
  public var state: ChildState
  /// The id of its process. `nil` means that there is none.
  public var pid: Int32?
  /// The start of that process, in Unix milliseconds.
  public var startedAt: Int64?
  /// The time when that process was ready, in Unix microseconds.
  public var readyAt: Int64?
  /// The number of restarts since the child was added.
  public var restarts: Int
  /// The exit of the previous process.
  public var lastExit: ExitStatus?
  /// The reason for the end of the previous process or for FAILED. `nil` means that the end was
  /// requested.
  public var reason: String?
}

/// The state of a child.
public enum ChildState: Sendable, Equatable {
  /// No process runs, and none is wanted.
  case stopped
  /// A process runs and isn't ready yet.
  case starting
  /// The child is ready. `started` means that it has confirmed START.
  case running(started: Bool)
  /// The child was asked to stop.
  case stopping(StopStage)
  /// The child starts again at this moment.
  case backingOff(until: LoopInstant)
  /// The child ended too often or can't be started. It stays down until a retry is requested.
  case failed(reason: String)
  /// The child ended by itself and isn't restarted.
  case finished(succeeded: Bool)

  /// Whether the child keeps its state until something happens outside.
  public var isSettled: Bool {
    switch self {
    case .stopped, .failed, .finished, .running(started: true): true
    case .starting, .stopping, .backingOff, .running(started: false): false
    }
  }
}

/// The last step of a stop that was taken.
public enum StopStage: Sendable, Equatable {
  /// STOP on its channel.
  case asked
  /// SIGTERM.
  case terminated
  /// SIGKILL.
  case killed
}
