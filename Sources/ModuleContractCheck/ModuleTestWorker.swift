internal import AgentEvents
internal import AgentJSON
internal import AgentModules
internal import AgentQueries
internal import AgentSupervision
internal import AgentSystem
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Glibc

/// One worker of the module under test. Each call sends a frame and waits for its effect. Only one
/// thread may use it.
final class ModuleTestWorker {
  /// The frames that have arrived.
  struct Seen {
    var hello: Hello?
    var loaded: Loaded?
    var isReady = false
    var isStarted = false
    var isStopAnswered = false
    var pongs = 0
    var results: [UInt32: Result<[UInt8], WorkerError>] = [:]
    /// The answers to frames that the session doesn't know.
    var answers: [UInt32: Frame] = [:]
    var refusal: (op: Op, error: WorkerError)?
    var breach: String?
    /// Requests of the worker that a host would refuse.
    var problems: [String] = []
    var published = 0
  }

  /// The ids from this one on belong to frames that the session doesn't know.
  private static let ownIDs: UInt32 = 0x7000_0000

  let name: String
  let plan: WorkerPlan
  let limits: CheckLimits
  var seen = Seen()
  private let bench: ModuleTestBench
  private let caller: ServiceCaller
  let channel: TrialChannel
  private var socket: WorkerSocket
  private var session = HostSession()
  private let events = EventBus(now: { Timestamp.now() })
  private let metrics = ModuleMetrics()
  private var isOver = false
  /// Whether the worker has stopped reading.
  private var isDeaf = false
  private var lastOwnID = ModuleTestWorker.ownIDs

  /// Starts the process.
  /// - Throws: `TrialFailure.notStarted` with the reason.
  init(_ planned: ModuleTestBench.Planned, on bench: ModuleTestBench, _ limits: CheckLimits)
    throws(TrialFailure)
  {
    name = planned.spec.name
    plan = planned.plan
    self.limits = limits
    self.bench = bench
    caller = ServiceCaller(planned.spec.name, module: planned.plan.manifest.name)
    channel = try bench.start(planned)
    socket = WorkerSocket(channel.socket)
  }

  deinit {
    socket.release()
    if channel.exit == nil { bench.end(name) }
  }

  var pid: Int32 { channel.pid }
  /// The exit of the process, or `nil` while it runs.
  var exit: ExitStatus? { channel.exit }

  /// The last three lines that the worker wrote, as an addition to a failure. Empty if it wrote
  /// nothing.
  var lastWords: String {
    let lines = bench.written(by: name).suffix(3)
    return lines.isEmpty ? "" : " It wrote:\n" + lines.joined(separator: "\n")
  }

  // MARK: Sending

  /// Changes the session and performs the resulting actions.
  func act(_ change: (inout HostSession) -> [HostAction]) {
    for action in change(&session) { perform(action) }
  }

  /// Sends START for every contribution.
  func sendStart() {
    bench.state.started(caller)
    act { $0.start() }
  }

  /// Sends a call and returns its id, or `nil` if the worker isn't started.
  func begin(_ invoke: Invoke) -> UInt32? {
    guard let (id, actions) = session.invoke(invoke) else { return nil }
    for action in actions { perform(action) }
    return id
  }

  /// Sends a frame with any code and returns the answer to it.
  func ask(code: UInt8, body: [UInt8]) throws(TrialFailure) -> Frame {
    lastOwnID += 1
    let id = lastOwnID
    perform(.send(Frame(code: code, id: id, body: body, descriptor: false)))
    return try expect("The answer to op \(code)", within: limits.answer) { $0.answers[id] }
  }

  /// Closes the socket in both directions, as the end of a host does.
  func hangUp() { shutdown(channel.socket, Int32(clamping: SHUT_RDWR)) }

  // MARK: Waiting

  /// Reads from the socket until `found` returns a value.
  /// - Throws: `TrialFailure` if the worker breaks the protocol, refuses a request, ends, or
  ///   exceeds `limit`.
  func expect<Found>(
    _ what: String, within limit: Duration, found: (Seen) -> Found?
  ) throws(TrialFailure) -> Found {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while true {
      if let found = found(seen) { return found }
      if let breach = seen.breach { throw .breach(breach) }
      if let refusal = seen.refusal { throw .refused(refusal.op, refusal.error) }
      if isOver { throw channel.awaitExit(.seconds(2)).map { .ended($0) } ?? .hungUp }
      let rest = end - clock.now
      guard rest > .zero else { throw .timedOut(what, limit) }
      wait(rest)
    }
  }

  /// Reads until the process has ended, so that its last frames aren't lost. Returns `nil` if it
  /// still runs after `limit`.
  func awaitExit(_ limit: Duration) -> ExitStatus? {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while !isOver, clock.now < end { wait(end - clock.now) }
    return channel.awaitExit(end - clock.now)
  }

  private func wait(_ rest: Duration) {
    let wantsToWrite = socket.wantsToWrite && !isDeaf
    var poll = pollfd(
      fd: channel.socket, events: Int16(POLLIN) | (wantsToWrite ? Int16(POLLOUT) : 0), revents: 0)
    let milliseconds = Int32(clamping: rest.wholeMilliseconds.adding(1))
    guard Glibc.poll(&poll, 1, milliseconds) > 0 else { return }
    flush()
    do throws(WorkerSocket.Failure) {
      _ = try socket.read()
      while let arrival = try socket.next(FrameBounds()) { try take(arrival) }
    } catch {
      isOver = true
      if case .breach(let reason) = error { seen.breach = reason }
    }
  }

  private func flush() {
    guard socket.wantsToWrite, !isDeaf else { return }
    do throws(WorkerSocket.Failure) {
      try socket.flush()
    } catch {
      // The worker may have ended after its last answer. Bytes that it sent before must still be
      // read.
      isDeaf = true
    }
  }

  private func take(_ arrival: WorkerSocket.Arrival) throws(WorkerSocket.Failure) {
    switch arrival {
    case .frame(let frame): take(frame)
    case .unread(let frame, let body): take(frame.resolving(try body.read()))
    case .excessive(let frame): for action in session.receive(frame) { perform(action) }
    }
  }

  private func take(_ frame: Frame) {
    if frame.id >= Self.ownIDs, frame.op == .reply || frame.op == .error {
      seen.answers[frame.id] = frame
      return
    }
    for action in session.receive(frame) { perform(action) }
  }

  // MARK: Actions of the session

  private func perform(_ action: HostAction) {
    switch action {
    case .send(let frame): send(frame)
    case .hello(let hello): seen.hello = hello
    case .loaded(let loaded): seen.loaded = loaded
    case .refused(let op, let error): seen.refusal = (op, error)
    case .ready: seen.isReady = true
    case .started: seen.isStarted = true
    case .stopped: seen.isStopAnswered = true
    case .pong, .heartbeat: seen.pongs += 1
    case .finished(let call, let result): seen.results[call] = result
    case .published(let document): publish(document)
    case .publishedInParts(let parts, let tooLong):
      refuse(tooLong: tooLong)
      for part in parts { for action in session.receive(part) { perform(action) } }
    case .subscribe(let id, let request): subscribe(id, request)
    case .call(let id, let call): answer(id, call)
    case .breach(let reason): seen.breach = reason
    case .unsubscribe, .credited, .part, .log, .endedByItself: break
    }
  }

  private func send(_ frame: Frame) {
    do throws(WorkerSocket.Failure) {
      try socket.send(frame)
    } catch {
      // The bytes that the worker sent before its end may still be read.
      if case .breach(let reason) = error { seen.breach = reason }
    }
  }

  private func refuse(tooLong sizes: [Int]) {
    for size in sizes {
      seen.problems.append(
        "It published an event of \(size) bytes; the limit is \(FrameBounds.maxEvent).")
    }
    act { $0.returnPublishCredit(sizes.count) }
  }

  private func publish(_ document: JSONDocument) {
    let objects = document.root.elements.compactMap { $0.value.object }
    do {
      try events.publish(objects, source: name, by: .guest)
      seen.published += objects.count
    } catch {
      seen.problems.append("It published an event that is refused: \(error)")
    }
    act { $0.returnPublishCredit(objects.count) }
  }

  private func subscribe(_ id: UInt32, _ request: Subscribe) {
    do {
      if let span = request.span {
        _ = try QueryPlan(Query(parsing: request.query))
        _ = try QuerySpan(parsing: span)
      } else {
        _ = try EventQuery(parsing: request.query)
      }
      act { $0.reply(id) }
    } catch {
      seen.problems.append("It subscribed to \"\(request.query)\": \(error)")
      act { $0.fail(id, WorkerError(.invalidArgument, "\(error)")) }
    }
  }

  private func report(_ id: UInt32, _ call: Call) {
    switch metrics.answer(call.method, call.input, from: caller) {
    case .success(let answer):
      for refused in answer["refused"]?.array ?? [] {
        seen.problems.append("It reported to metrics/1: \(refused["reason"]?.string ?? "")")
      }
      act { $0.reply(id, answer.bytes()) }
    case .failure(let error):
      seen.problems.append("It reported to metrics/1: \(error)")
      act { $0.fail(id, error) }
    }
  }

  private func answer(_ id: UInt32, _ call: Call) {
    if call.service == "events/1", call.method == "query" {
      act { $0.reply(id, RecentEvents.json([], truncated: false)) }
    } else if call.service == "state/1" {
      let answer = bench.state.answer(call, from: caller)
      act { session in
        switch answer {
        case .success(let json): session.reply(id, json)
        case .failure(let error): session.fail(id, error)
        }
      }
    } else if call.service == "metrics/1" {
      report(id, call)
    } else if call.service == "tasks/1" {
      act { $0.fail(id, WorkerError(.closed, "During a check there are no tasks and no bots.")) }
    } else {
      act { $0.fail(id, WorkerError(.unsupported, "This host offers no \(call.service).")) }
    }
  }
}
