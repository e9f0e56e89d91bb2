/// What the worker must do after an input on its connection.
public enum WorkerAction: Sendable {
  /// Send this frame.
  case send(Frame)
  /// Limits, sandbox, load; answer with `loaded` or `fail`.
  case load(UInt32, Load)
  /// Create a contribution; answer with `ready` or `fail`.
  case configure(UInt32, Configure)
  /// Start a contribution; answer with `reply` or `fail`.
  case start(UInt32, ContributionName)
  /// End within the deadline, and answer with `reply`.
  case stop(UInt32, deadlineMilliseconds: Int)
  /// Answer with `reply`, from the executor that runs the module's work.
  case ping(UInt32)
  /// A call; answer with `part`s and `finish`.
  case invoke(UInt32, Invoke)
  /// Give a call up; its end is still sent.
  case cancel(UInt32)
  /// Events for a subscription.
  case events(UInt32, EventBatch)
  /// The host ended or refused a subscription.
  case closed(UInt32, WorkerError)
  /// A CALL was answered.
  case answered(UInt32, Result<[UInt8], WorkerError>)
  /// These publications have left, or were given up with a status.
  case accepted([UInt64], StatusCode)
  /// The host broke the protocol; nothing sensible can follow.
  case breach(String)
}
