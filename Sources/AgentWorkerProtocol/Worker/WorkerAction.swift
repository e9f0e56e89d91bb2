/// An action that the worker must perform after input from the host.
public enum WorkerAction: Sendable {
  /// Send this frame.
  case send(Frame)
  /// Set the limits, enter the sandbox and load the module. Answer with `loaded` or `fail`.
  case load(UInt32, Load)
  /// Create a contribution. Answer with `ready` or `fail`.
  case configure(UInt32, Configure)
  /// Start a contribution. Answer with `reply` or `fail`.
  case start(UInt32, ContributionName)
  /// End within the deadline. Answer with `reply`.
  case stop(UInt32, deadlineMilliseconds: Int)
  /// Answer with `reply` from the thread that runs the module's work.
  case ping(UInt32)
  /// Call a contribution. Answer with `part`s and `finish`.
  case invoke(UInt32, Invoke)
  /// Cancel a call. Its end must still be sent.
  case cancel(UInt32)
  /// Deliver events to a subscription.
  case events(UInt32, EventBatch)
  /// The host ended or refused a subscription.
  case closed(UInt32, WorkerError)
  /// A CALL was answered.
  case answered(UInt32, Result<[UInt8], WorkerError>)
  /// These publications were sent, or dropped with a status.
  case accepted([UInt64], StatusCode)
  /// The host broke the protocol. End the worker.
  case breach(String)
}
