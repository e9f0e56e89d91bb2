public import AgentJSON

/// What the host must do after an input on a worker's connection.
public enum HostAction: Sendable {
  /// Send this frame.
  case send(Frame)
  /// The worker is there and waits for LOAD.
  case hello(Hello)
  /// The module is loaded: compare it with its manifest, then `configure`.
  case loaded(Loaded)
  /// LOAD, CONFIGURE or START was refused: the worker is of no use, end it.
  case refused(Op, WorkerError)
  /// Every contribution is created: `start` when it is wanted.
  case ready
  /// Every contribution is started.
  case started
  /// STOP was answered; the worker exits by itself.
  case stopped
  /// A ping was answered.
  case pong
  /// A long computation is running.
  case heartbeat
  /// Events, the root being an array of objects; return their credit with `returnPublishCredit`.
  case published(JSONDocument)
  /// A long PUBLISH: give these frames to `receive`, one after the other, before any later frame.
  /// `tooLong` holds the sizes in bytes of events that were too long. Return their credit with
  /// `returnPublishCredit`.
  case publishedInParts([Frame], tooLong: [Int])
  /// Answer with `reply` or `fail`; the id names the subscription from then on.
  case subscribe(UInt32, Subscribe)
  /// The subscription is over; nobody waits for an answer.
  case unsubscribe(UInt32)
  /// The worker accepts more events of a subscription: call `deliver`. A durable consumer has
  /// processed `dealtWith` events.
  case credited(UInt32, dealtWith: Int)
  /// A piece of a call's result, JSON.
  case part(UInt32, [UInt8])
  /// A call's end, with JSON or an error.
  case finished(UInt32, Result<[UInt8], WorkerError>)
  /// The worker asks a service: answer with `reply` or `fail`.
  case call(UInt32, Call)
  /// A record for the log.
  case log(LogRecord)
  /// A contribution's work is over without having been stopped.
  case endedByItself(Ended)
  /// The worker broke the protocol: end it; the text says what it sent.
  case breach(String)
}
