/// The connection to one process. The supervisor makes one for each process that it starts and
/// calls it on the loop's thread only.
public protocol WorkerChannel: AnyObject, Sendable {
  /// Begins the connection. Called once, after the spawn and before any other call. A spare may
  /// have sent bytes already, which wait in the socket. Register the socket with the loop here.
  func attach()
  /// Sends START. Called once, after READY. Report ``WorkerReport/started`` when the child
  /// confirms.
  func start()
  /// Sends a ping. Report ``WorkerReport/alive`` when the child answers.
  func ping()
  /// Asks the child to stop and exit within `deadline`. Called at most once, possibly before READY.
  func stop(deadline: Duration)
  /// Reports that the process is dead. ``drain()`` and ``close(_:)`` follow. Stop watching the
  /// socket, and release everything that a successor takes over.
  func exited()
  /// Reads a part of what the process left in the socket. Returns whether nothing is left. Called
  /// again after a moment, in which other children are served, until it returns true or
  /// ``SupervisorConfiguration/drainLimit`` is over.
  func drain() -> Bool
  /// Ends the connection. Called once, as the last call. Read the rest of the socket and of the
  /// crash descriptor, within bounds, and deregister both. Reports are still accepted. The
  /// supervisor closes both descriptors when this returns.
  func close(_ exit: ExitStatus)
}

/// The environment of a channel: its process, the host's ends of the descriptors, and the handle
/// for reports.
public struct WorkerConnection: Sendable {
  public let name: String
  public let pid: Int32
  /// The host's end of the socket pair, non-blocking. The supervisor closes it.
  public let socket: Int32?
  /// The read end of the crash pipe, non-blocking. The supervisor closes it.
  public let crash: Int32?
  /// Whether the process is a warm spare, which may have sent bytes long ago.
  public let isSpare: Bool
  public let loop: EventLoop
  public let handle: WorkerHandle
}

/// Makes the channel of a process. Called on the loop's thread.
public typealias WorkerChannelFactory = @Sendable (WorkerConnection) -> any WorkerChannel

/// A channel's report about its process.
public enum WorkerReport: Sendable, Equatable {
  /// The child is set up and can start its work.
  case ready
  /// The child has started its work.
  case started
  /// The child answered a ping or sent a heartbeat.
  case alive
  /// The child reports that it stopped. Its exit follows.
  case stopped
  /// The child's work ended without a request.
  case endedByItself(succeeded: Bool, message: String?)
  /// The child can't do its work, and a restart wouldn't help. It becomes FAILED.
  case refused(reason: String)
  /// The child broke the protocol and is killed. The reason is a sentence about the child.
  case breach(reason: String)
  /// The child closed its socket. Its exit usually follows. Otherwise it is killed.
  case hungUp
}

/// Receives the reports of a channel. A report about an ended process is ignored. Any thread.
public final class WorkerHandle: Sendable {
  /// The number of the process. It is never used twice.
  public let generation: UInt64
  private let deliver: @Sendable (WorkerReport) -> Void

  init(generation: UInt64, deliver: @escaping @Sendable (WorkerReport) -> Void) {
    self.generation = generation
    self.deliver = deliver
  }

  /// Reports to the supervisor. On the loop's thread the report is processed in order: at once, or
  /// after the current call of the supervisor.
  public func report(_ report: WorkerReport) {
    deliver(report)
  }
}
