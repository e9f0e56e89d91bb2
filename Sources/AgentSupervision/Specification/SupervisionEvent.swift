/// An event of a child.
public struct SupervisionEvent: Sendable, Equatable {
  /// The child's name. For a spare it is the key of its pool.
  public var name: String
  /// The number of the child's process. 0 means that the event is about none.
  public var generation: UInt64
  public var kind: Kind

  /// The kinds of events of a child.
  public enum Kind: Sendable, Equatable {
    /// A process was started.
    case spawned(pid: Int32, spare: Bool)
    /// A warm spare was started. The name is the key of its pool.
    case spareStarted(pid: Int32)
    /// It is ready.
    case ready
    /// It has started its work.
    case started
    /// It was asked to stop, or is being killed for a reason.
    case stopping(reason: String?)
    /// Its process ended. `reason` says why it was killed, if it was.
    case exited(ExitStatus, reason: String?)
    /// It restarts after a pause. Zero means at once.
    case restarting(after: Duration)
    /// It stopped on request.
    case stopped
    /// It stays down until a retry is requested.
    case failed(reason: String)
    /// It ended by itself and stays down.
    case finished(succeeded: Bool)
    /// It exceeded a limit and is being killed. The message has both numbers.
    case limitExceeded(message: String)
    /// It wrote a line to standard output or standard error.
    case output(line: String)
    /// It exceeded its output limits, and this number of lines was dropped.
    case outputDropped(lines: Int)
    /// Processes were killed that had left their group and lost their parent.
    case orphansKilled(count: Int)
    /// A problem that no caller waits for, such as a ledger that can't be written or a spare that
    /// can't be started.
    case problem(message: String)
  }
}
