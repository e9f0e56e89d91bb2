import AgentJSON

/// The worker's side of the connection: the frames that may arrive, and the resulting actions.
///
/// It is pure, like `HostSession`. An unexpected frame that needs an answer is answered with ERROR.
/// The host may be newer or wrong, and can describe the problem better than a worker.
public struct WorkerSession: Sendable {
  /// The states of a worker's session.
  public enum State: Sendable, Equatable {
    /// HELLO may be sent. LOAD hasn't arrived.
    case awaitingLoad
    /// LOAD has arrived and isn't answered.
    case loading
    /// LOADED was sent. Contributions are configured, started and called.
    case loaded
    /// STOP has arrived.
    case stopping
  }

  /// The number of events of a subscription that the host may send before the module has processed
  /// some.
  public static let subscriptionWindow = 256
  /// The largest number of open calls. Further ones are refused with `overloaded`.
  public static let maxOpenCalls = 4096

  public private(set) var state = State.awaitingLoad
  /// The STOPs that aren't answered. A stopped worker ends when there is none.
  public internal(set) var openStops: Set<UInt32> = []
  var invocations: [UInt32: Int] = [:]
  var calls: Set<UInt32> = []
  var subscriptions: [UInt32: SubscriptionState] = [:]
  var publications = PublicationQueue()
  private var lastID: UInt32 = 0

  /// Creates a session that waits for LOAD.
  public init() {}

  /// Processes a frame. The caller must have replaced a descriptor by its contents.
  public mutating func receive(_ frame: Frame) -> [WorkerAction] {
    guard let op = frame.op else {
      return [
        .send(
          Self.error(
            frame.id, code: .unsupported, message: "This worker doesn't know op \(frame.code)."))
      ]
    }
    do {
      return try handle(op, frame)
    } catch {
      return answersTo(op, frame: frame, code: .invalidArgument, message: error.description)
    }
  }

  private mutating func handle(
    _ op: Op, _ frame: Frame
  ) throws(WorkerProtocolError) -> [WorkerAction] {
    switch (op, state) {
    case (.load, .awaitingLoad):
      let load = try Load(json: frame.body)
      state = .loading
      return [.load(frame.id, load)]
    // While the module is being loaded, CONFIGURE waits behind that.
    case (.configure, .loading), (.configure, .loaded):
      return [.configure(frame.id, try Configure(json: frame.body))]
    case (.start, .loaded): return [.start(frame.id, try ContributionName(json: frame.body))]
    case (.stop, _):
      let stop = try Stop(json: frame.body)
      state = .stopping
      openStops.insert(frame.id)
      return [.stop(frame.id, deadlineMilliseconds: stop.deadlineMilliseconds)]
    case (.ping, _): return [.ping(frame.id)]
    case (.invoke, .loaded): return try invoke(frame)
    case (.cancel, _): return invocations[frame.id] == nil ? [] : [.cancel(frame.id)]
    case (.event, _): return try events(frame)
    case (.credit, _): return try credit(frame)
    case (.reply, _): return answered(frame.id, .success(frame.body))
    case (.error, _): return answered(frame.id, .failure(try WorkerError(json: frame.body)))
    default:
      return answersTo(
        op, frame: frame, code: .invalidArgument, message: "\(op.name) isn't allowed here.")
    }
  }

  private mutating func invoke(_ frame: Frame) throws(WorkerProtocolError) -> [WorkerAction] {
    let invoke = try Invoke(json: frame.body)
    guard invocations[frame.id] == nil, frame.id != 0 else {
      throw .body("INVOKE", "has the id of another call")
    }
    guard invocations.count < Self.maxOpenCalls else {
      return [
        .send(Self.error(frame.id, code: .overloaded, message: "Too many calls are under way."))
      ]
    }
    invocations[frame.id] = 0
    return [.invoke(frame.id, invoke)]
  }

  private mutating func answered(
    _ id: UInt32, _ result: Result<[UInt8], WorkerError>
  ) -> [WorkerAction] {
    if calls.remove(id) != nil { return [.answered(id, result)] }
    if case .failure(let error) = result, subscriptions.removeValue(forKey: id) != nil {
      return [.closed(id, error)]
    }
    return []
  }

  /// ERROR for a message that expects an answer; nothing for others.
  private func answersTo(
    _ op: Op, frame: Frame, code: StatusCode, message: String
  ) -> [WorkerAction] {
    switch op {
    case .load, .configure, .start, .stop, .invoke, .call:
      [.send(Self.error(frame.id, code: code, message: message))]
    case .event, .credit, .reply, .error, .ping, .cancel: [.breach(message)]
    default: [.send(Self.error(0, code: code, message: message))]
    }
  }

  mutating func newID() -> UInt32 {
    repeat {
      lastID = lastID == .max ? 1 : lastID + 1
    } while calls.contains(lastID) || subscriptions[lastID] != nil
    return lastID
  }

  mutating func didLoad() {
    if state == .loading { state = .loaded }
  }

  static func error(_ id: UInt32, code: StatusCode, message: String) -> Frame {
    Frame(.error, id: id, body: WorkerError(code, message).json)
  }
}
