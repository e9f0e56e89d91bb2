public import AgentJSON

/// An action that the host must perform after input from a worker.
public enum HostAction: Sendable {
  /// Send this frame.
  case send(Frame)
  /// The worker has started and waits for LOAD.
  case hello(Hello)
  /// The module is loaded. Compare it with its manifest, then call `configure`.
  case loaded(Loaded)
  /// The worker refused LOAD, CONFIGURE or START. End it.
  case refused(Op, WorkerError)
  /// Every contribution is created. Call `start` when they should run.
  case ready
  /// Every contribution is started.
  case started
  /// STOP was answered. The worker exits by itself.
  case stopped
  /// PING was answered.
  case pong
  /// The worker reports a long computation.
  case heartbeat
  /// The worker published events, whose root is an array of objects. Return their credit by
  /// `returnPublishCredit`.
  case published(JSONDocument)
  /// The worker sent a long PUBLISH. Pass these frames to `receive`, one after the other, before
  /// any later frame. `tooLong` contains the sizes in bytes of events that were too long. Return
  /// their credit by `returnPublishCredit`.
  case publishedInParts([Frame], tooLong: [Int])
  /// The worker subscribes. Answer with `reply` or `fail`. The id is that of the subscription from
  /// then on.
  case subscribe(UInt32, Subscribe)
  /// The subscription has ended. No answer is necessary.
  case unsubscribe(UInt32)
  /// The worker accepts more events of a subscription. Call `deliver`. A durable consumer has
  /// processed `dealtWith` events.
  case credited(UInt32, dealtWith: Int)
  /// A part of a call's result, as JSON.
  case part(UInt32, [UInt8])
  /// The end of a call, with JSON or an error.
  case finished(UInt32, Result<[UInt8], WorkerError>)
  /// The worker calls a service. Answer with `reply` or `fail`.
  case call(UInt32, Call)
  /// A record for the log.
  case log(LogRecord)
  /// A contribution has ended without a STOP.
  case endedByItself(Ended)
  /// The worker broke the protocol, as the text describes. End it.
  case breach(String)
}
