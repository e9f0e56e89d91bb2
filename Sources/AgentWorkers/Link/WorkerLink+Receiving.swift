internal import AgentSupervision
internal import AgentWorkerProtocol
internal import DequeModule

/// Receiving: one frame after the other, with a bound for everything that is held because of them.
extension WorkerLink {
  /// The bytes of events that may be on their way to the store before nothing more is read.
  static let maxPublishing = 8 << 20
  /// The bytes of calls that may wait for answers.
  static let maxAsking = 64 << 20
  /// The bytes of bodies after which the loop serves other workers.
  static let maxAtOnce = 256 << 10
  /// The most times that a socket is read before the loop serves other workers.
  private static let maxReadsAtOnce = 64
  /// The most bytes that are read of the stream of a process that has ended; a socket holds far
  /// less.
  private static let maxDrained = 8 << 20
  /// The bytes of events that are taken from there at the end of the time for that: one PUBLISH,
  /// whatever is being stored. In all, because the other workers wait meanwhile.
  private static let maxDrainedEvents = maxPublishing + FrameBounds.maxPublish
  /// Frames that carry nothing, such as HEARTBEAT, and those that nobody knows.
  static let frameLimits = OutputLimits(burst: 50_000, linesPerSecond: 50_000)
  /// The pause between two looks whether the worker has read what is in flight.
  static let flushPause = Duration.milliseconds(5)

  func handle(_ ready: LoopEvents) {
    if ready.contains(.writable) { act { _ in [] } }
    if ready.contains(.readable), withState({ $0.isReading }) { receive() }
  }

  /// Reads a part of what a process that has ended left in the socket: whether nothing is left.
  /// Other workers are served between two parts, and what is being stored holds the next one back.
  package func drain() -> Bool {
    for _ in 0..<Self.maxReadsAtOnce {
      guard withState({ $0.isReading }) else { return false }
      guard receive() > 0 else { return true }
    }
    return false
  }

  /// Reads what is left at the end of the time for that, or all of what a few frames are.
  func finishDraining() {
    withState { $0.isDraining = true }
    finishLargeFrame()
    takeFrames()
    var drained = 0
    while drained < Self.maxDrained {
      let count = receive()
      guard count > 0 else { return }
      drained += count
    }
  }

  /// Reads once, and sees to the frames that are whole then. Returns how many bytes came.
  @discardableResult
  func receive() -> Int {
    do throws(WorkerSocket.Failure) {
      let count = try read()
      takeFrames()
      return count
    } catch {
      fail(error)
      return 0
    }
  }

  private func read() throws(WorkerSocket.Failure) -> Int {
    try withState { state -> Result<Int, WorkerSocket.Failure> in
      guard !state.isClosed else { return .success(0) }
      do throws(WorkerSocket.Failure) {
        return .success(try state.socket.read())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Sees to what was read, frame by frame; what takes long goes on in the next round of the loop.
  /// On the loop's thread.
  func takeFrames() {
    var bytes = 0
    while let taken = takeFrame() {
      bytes += taken
      // A worker that has ended sends nothing more, so its rest is bounded, and is taken at once.
      guard bytes > Self.maxAtOnce, !withState({ $0.isDraining }) else { continue }
      act { state in
        state.hasBacklog = true
        return []
      }
      return connection.loop.execute { [weak self] in self?.takeBacklog() }
    }
  }

  private func takeBacklog() {
    withState { $0.hasBacklog = false }
    takeFrames()
    act { _ in [] }
  }

  /// Sees to one frame: how long its body was; nil when there is none, or none may be taken now.
  private func takeFrame() -> Int? {
    var size: Int?
    var failure: WorkerSocket.Failure?
    var isTooMuch = false
    var large: LargeFrame?
    act { state in
      guard !state.isKeptWaiting else { return [] }
      do throws(WorkerSocket.Failure) {
        guard let arrival = try Self.next(&state) else { return [] }
        large = Self.large(arrival, &state)
        if large != nil { return [] }
        size = arrival.size
        if arrival.carriesNothing {
          state.frames.refill(at: connection.loop.now)
          // No credit and no answer slows these down, so a rate does.
          isTooMuch = state.frames.take() == nil
        }
        if case .excessive(let frame) = arrival, frame.op == .call {
          caller.refusals.count("calls")
        }
        return try Self.take(arrival, &state)
      } catch {
        failure = error
        return []
      }
    }
    // Outside of `act`, whose lock it takes.
    if isTooMuch { pauseReading() }
    if let failure { fail(failure) }
    if let large { parseElsewhere(large) }
    return size
  }

  private static func next(
    _ state: inout State
  ) throws(WorkerSocket.Failure) -> WorkerSocket.Arrival? {
    // Parts first, so that events keep the order in which the worker published them.
    if let part = state.parts.popFirst() { return .frame(part) }
    return try state.socket.next(
      bounds(state), readsUpTo: state.isDraining ? .max : maxOnLoop)
  }

  /// The frame that is parsed elsewhere, if it is one; nothing more is taken until then.
  private static func large(
    _ arrival: WorkerSocket.Arrival, _ state: inout State
  ) -> LargeFrame? {
    // At the end of the time for a worker that has ended nothing is waited for.
    guard !state.isDraining else { return nil }
    switch arrival {
    case .unread(let frame, let body): state.large = LargeFrame(frame, body: body)
    case .frame(let frame) where frame.body.count > maxOnLoop: state.large = LargeFrame(frame)
    case .frame, .excessive: return nil
    }
    state.parsing = state.large?.size ?? 0
    return state.large
  }

  private static func bounds(_ state: State) -> FrameBounds {
    let taken = max(state.publishing, state.drainedEvents)
    return FrameBounds(
      calls: max(0, maxAsking - state.asking),
      events: state.isDraining ? max(0, maxDrainedEvents - taken) : .max)
  }

  private static func take(
    _ arrival: WorkerSocket.Arrival, _ state: inout State
  ) throws(WorkerSocket.Failure) -> [HostAction] {
    switch arrival {
    case .frame(let frame): return state.take(frame)
    case .unread(let frame, let body): return state.take(frame.resolving(try body.read()))
    case .excessive(let frame) where state.isDraining && frame.op == .publish:
      let message = "\(frame.size) bytes of events that it had published before its end were lost."
      return [.log(AgentWorkerProtocol.LogRecord(level: .error, message: message))]
    case .excessive(let frame): return state.session.receive(frame)
    }
  }

  /// The stream is over, or isn't one of frames.
  func fail(_ failure: WorkerSocket.Failure) {
    let registration = withState { state in
      defer { state.registration = nil }
      return state.registration
    }
    if let registration { connection.loop.deregister(registration) }
    // The breach first: it has the worker killed at once, and the hang-up then begins no wait of
    // its own.
    if case .breach(let reason) = failure { connection.handle.report(.breach(reason: reason)) }
    connection.handle.report(.hungUp)
  }

  // MARK: Holding back

  /// Events are stored, or never will be: their space and their credit are there again.
  func published(_ count: Int, bytes: Int) {
    var goesOn = false
    act { state in
      let wasHeld = state.isHeldBack
      state.publishing -= bytes
      // Only at the change: frames that were read already wait, and no event of the socket
      // announces them.
      goesOn = wasHeld && !state.isHeldBack
      return state.session.returnPublishCredit(count)
    }
    guard goesOn else { return }
    // Frames are taken on the loop's thread only, and this may be the store's.
    connection.loop.execute { [weak self] in self?.takeFrames() }
  }

  /// A worker whose answers to pings lie unread, because of what the host has still to store or to
  /// parse, counts as alive.
  func vouch() {
    let isNew = withState { $0.isKeptWaiting && !$0.isVouchedFor && !$0.isClosed }
    guard isNew else { return }
    connection.handle.report(.alive)
    vouchInAMoment()
  }

  /// Looks a second later whether the host keeps the worker waiting. Any thread.
  func vouchInAMoment() {
    let isNew = withState { state in
      defer { state.isVouchedFor = true }
      return !state.isVouchedFor && !state.isClosed
    }
    // One timer: each long frame comes here.
    guard isNew else { return }
    connection.loop.schedule(after: .seconds(1)) { [weak self] in
      self?.withState { $0.isVouchedFor = false }
      self?.vouch()
    }
  }

  /// The answer of a CALL: its space is there again.
  func answered(_ id: UInt32, _ result: Result<[UInt8], WorkerError>) {
    act { state in
      state.asking -= state.asked.removeValue(forKey: id) ?? 0
      switch result {
      case .success(let answer): return state.session.reply(id, answer)
      case .failure(let error): return state.session.fail(id, error)
      }
    }
  }
}

extension WorkerLink.State {
  /// Gives a frame to the session, and counts the bytes that are held because of it.
  mutating func take(_ frame: Frame) -> [HostAction] {
    take(
      ParsedFrame(frame, publishCredit: session.publishCredit), size: frame.body.count)
  }

  /// Gives a frame to the session that was parsed before.
  mutating func take(_ frame: ParsedFrame, size: Int) -> [HostAction] {
    let actions = session.receive(frame)
    for action in actions {
      switch action {
      case .published:
        publishing += size
        if isDraining { drainedEvents += size }
      case .publishedInParts(let parts, _): self.parts = Deque(parts)
      case .call(let id, _):
        asked[id] = size
        asking += size
      default: break
      }
    }
    return actions
  }
}

extension WorkerSocket.Arrival {
  /// How long the body is that was looked at.
  var size: Int {
    if case .frame(let frame) = self { frame.body.count } else { 0 }
  }

  /// Whether nothing else bounds how many of them come: neither credit nor an answer.
  var carriesNothing: Bool {
    guard case .frame(let frame) = self else { return true }
    return switch frame.op {
    case .heartbeat, .credit, .unsubscribe, .error, nil: true
    default: false
    }
  }
}
