/// Something that happened to a child.
public struct SupervisionEvent: Sendable, Equatable {
  /// The child's name; for a spare the key of its pool.
  public var name: String
  /// Which of the child's processes it is about; 0: none.
  public var generation: UInt64
  public var kind: Kind

  /// The kinds of events of a child.
  public enum Kind: Sendable, Equatable {
    /// A process was started.
    case spawned(pid: Int32, spare: Bool)
    /// A warm spare was started; the name is the key of its pool.
    case spareStarted(pid: Int32)
    /// It is ready.
    case ready
    /// It has started its work.
    case started
    /// It was asked to stop, or is being killed for a reason.
    case stopping(reason: String?)
    /// Its process ended; `reason` says why it was killed, when it was.
    case exited(ExitStatus, reason: String?)
    /// It will be started again after a pause (zero: at once).
    case restarting(after: Duration)
    /// It stopped because it was asked to.
    case stopped
    /// It stays down until somebody retries.
    case failed(reason: String)
    /// It ended by itself and stays down.
    case finished(succeeded: Bool)
    /// It used more than a limit allows and is being killed; the message has both numbers.
    case limitExceeded(message: String)
    /// It wrote a line to standard output or standard error.
    case output(line: String)
    /// The child wrote more than its output limits allow, and this number of lines was dropped.
    case outputDropped(lines: Int)
    /// Processes that had left their group and lost their parent were killed.
    case orphansKilled(count: Int)
    /// Something went wrong that nobody waits for: the ledger can't be written, a spare can't be
    /// started.
    case problem(message: String)
  }
}
