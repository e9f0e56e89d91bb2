/// The connection to one process. The supervisor makes one for each process that it starts and
/// calls it on the loop's thread only.
public protocol WorkerChannel: AnyObject, Sendable {
  /// Begin: once, after the spawn and before any other call. A spare has spoken already; its bytes
  /// wait in the socket. Register the socket with the loop here.
  func attach()
  /// The child was ready and shall start its work: once. Report ``WorkerReport/started``.
  func start()
  /// Ask for a sign of life. Report ``WorkerReport/alive``.
  func ping()
  /// Ask the child to stop and exit within `deadline`: at most once, possibly before READY.
  func stop(deadline: Duration)
  /// The process is dead, and ``close(_:)`` follows shortly. A successor may already be starting:
  /// stop watching the socket, and release everything that the successor takes over. Bytes that
  /// wait in the socket are read in ``close(_:)``.
  func exited()
  /// The process is gone: once, and last. Read what waits in the socket and the crash descriptor
  /// (reports are still heard), deregister them; the supervisor closes both when this returns.
  func close(_ exit: ExitStatus)
}

/// The environment of a channel: its process, the host's ends of the descriptors, and the handle
/// for reports.
public struct WorkerConnection: Sendable {
  public let name: String
  public let pid: Int32
  /// The host's end of the socket pair, non-blocking; the supervisor closes it.
  public let socket: Int32?
  /// The read end of the crash pipe, non-blocking; the supervisor closes it.
  public let crash: Int32?
  /// Whether the process is a warm spare, which may have sent bytes long ago.
  public let isSpare: Bool
  public let loop: EventLoop
  public let handle: WorkerHandle
}

/// Makes the channel of a process; called on the loop's thread.
public typealias WorkerChannelFactory = @Sendable (WorkerConnection) -> any WorkerChannel

/// A channel's report about its process.
public enum WorkerReport: Sendable, Equatable {
  /// It is set up and can start its work.
  case ready
  /// It has started its work.
  case started
  /// It answered a ping or sent a heartbeat.
  case alive
  /// It said that it stopped; its exit follows.
  case stopped
  /// Its work ended without having been asked to.
  case endedByItself(succeeded: Bool, message: String?)
  /// It can't do what it was started for, and starting it again wouldn't help: FAILED.
  case refused(reason: String)
  /// It broke the rules and is to be killed. The reason is a sentence about the child.
  case breach(reason: String)
  /// It closed its socket. Its exit usually follows; if not, it is killed.
  case hungUp
}

/// Receives a channel's reports. Any thread; a report about a process that is gone is ignored.
public final class WorkerHandle: Sendable {
  /// Numbers the processes of a supervisor; never used twice.
  public let generation: UInt64
  private let deliver: @Sendable (WorkerReport) -> Void

  init(generation: UInt64, deliver: @escaping @Sendable (WorkerReport) -> Void) {
    self.generation = generation
    self.deliver = deliver
  }

  /// Reports to the supervisor. On the loop's thread the report is processed in order, at once or,
  /// within a call from the supervisor, right after it.
  public func report(_ report: WorkerReport) {
    deliver(report)
  }
}
