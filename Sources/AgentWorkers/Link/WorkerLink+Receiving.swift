internal import AgentSupervision
internal import AgentWorkerProtocol
internal import DequeModule

/// Receives frames one after the other, and limits the memory that they occupy.
extension WorkerLink {
  /// The limit of events that wait to be stored, in bytes. Above this limit the host stops reading
  /// from the worker.
  static let maxPublishing = 8 << 20
  /// The limit of calls that wait for answers, in bytes.
  static let maxAsking = 64 << 20
  /// The limit of bodies that are processed before the loop serves other workers, in bytes.
  static let maxAtOnce = 256 << 10
  /// The largest number of reads of one socket before the loop serves other workers.
  private static let maxReadsAtOnce = 64
  /// The limit of the bytes that ``finishDraining()`` reads from the socket of a process that has
  /// ended. A socket holds far less.
  private static let maxDrained = 8 << 20
  /// The limit of events that ``finishDraining()`` accepts, in bytes. It leaves space for one
  /// PUBLISH, however many bytes are being stored. It is a limit of the sum, because the other
  /// workers wait in the meantime.
  private static let maxDrainedEvents = maxPublishing + FrameBounds.maxPublish
  /// The rate limit of frames that neither credit nor an answer limits, such as HEARTBEAT, and of
  /// frames of unknown kinds.
  static let frameLimits = OutputLimits(burst: 50_000, linesPerSecond: 50_000)
  /// The pause before the host checks again whether the worker has read the bodies in flight.
  static let flushPause = Duration.milliseconds(5)

  func handle(_ ready: LoopEvents) {
    if ready.contains(.writable) { act { _ in [] } }
    if ready.contains(.readable), withState({ $0.isReading }) { receive() }
  }

  /// Reads a part of the bytes that a process left in the socket at its end. Returns whether the
  /// socket is empty. The loop serves other workers between two parts. The next part waits while
  /// the events that are being stored exceed their limit. On the loop's thread.
  package func drain() -> Bool {
    for _ in 0..<Self.maxReadsAtOnce {
      guard withState({ $0.isReading }) else { return false }
      guard receive() > 0 else { return true }
    }
    return false
  }

  /// Reads the rest of the socket at once, until `maxDrained` bytes were read. Called when the link
  /// is closed: after ``drain()`` has returned true, or when the time for draining is over. On the
  /// loop's thread.
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

  /// Reads from the socket once and processes the complete frames. Returns the number of bytes that
  /// were read, or 0 if there were none or the stream failed. On the loop's thread.
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

  /// Processes the received frames one by one. After `maxAtOnce` bytes of bodies, the rest follows
  /// in the loop's next round. On the loop's thread.
  func takeFrames() {
    var bytes = 0
    while let taken = takeFrame() {
      bytes += taken
      // A worker that has ended sends nothing more. Its last frames are limited, so the host
      // processes them at once.
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

  /// Processes one frame. Returns the size of its body in bytes, or `nil` if no frame is complete,
  /// the frame is parsed on another thread, or no frame may be processed now.
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
          // Neither credit nor an answer limits these frames, so a rate limit does.
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
    // Outside `act`, because these functions take its lock.
    if isTooMuch { pauseReading() }
    if let failure { fail(failure) }
    if let large { parseElsewhere(large) }
    return size
  }

  private static func next(
    _ state: inout State
  ) throws(WorkerSocket.Failure) -> WorkerSocket.Arrival? {
    // Parts come first, so that events keep the order in which the worker published them.
    if let part = state.parts.popFirst() { return .frame(part) }
    return try state.socket.next(
      bounds(state), readsUpTo: state.isDraining ? .max : maxOnLoop)
  }

  /// Returns the frame if it is parsed on another thread, else `nil`. No further frame is processed
  /// until it is finished.
  private static func large(
    _ arrival: WorkerSocket.Arrival, _ state: inout State
  ) -> LargeFrame? {
    // While the rest of a stream is read at once, the loop doesn't wait for another thread.
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

  /// Stops watching the socket and reports the failure. Called when the stream has ended, or
  /// contains something other than frames. On the loop's thread.
  func fail(_ failure: WorkerSocket.Failure) {
    let registration = withState { state in
      defer { state.registration = nil }
      return state.registration
    }
    if let registration { connection.loop.deregister(registration) }
    // The breach is reported first. The supervisor then kills the worker at once, and the hang-up
    // doesn't begin a wait for its exit.
    if case .breach(let reason) = failure { connection.handle.report(.breach(reason: reason)) }
    connection.handle.report(.hungUp)
  }

  // MARK: Holding back

  /// Releases the space and the credit of events that are stored or never will be. Any thread.
  /// - Parameters:
  ///   - count: the number of events.
  ///   - bytes: the size of their PUBLISH as it was counted in `publishing`.
  func published(_ count: Int, bytes: Int) {
    var goesOn = false
    act { state in
      let wasHeld = state.isHeldBack
      state.publishing -= bytes
      state.published &+= bytes
      // Only when the limit ceases to be exceeded. Frames that were read before wait then, and no
      // event of the socket announces them.
      goesOn = wasHeld && !state.isHeldBack
      return state.session.returnPublishCredit(count)
    }
    guard goesOn else { return }
    // Frames are processed on the loop's thread only. This may be the thread of the store.
    connection.loop.execute { [weak self] in self?.takeFrames() }
  }

  /// Reports the worker alive if its frames wait until the host has stored events or parsed a long
  /// frame. The worker's answers to pings aren't read then. Any thread.
  func vouch() {
    let isNew = withState { $0.isKeptWaiting && !$0.isVouchedFor && !$0.isClosed }
    guard isNew else { return }
    connection.handle.report(.alive)
    vouchInAMoment()
  }

  /// Checks a second later whether the host still keeps the worker waiting. Any thread.
  func vouchInAMoment() {
    let isNew = withState { state in
      defer { state.isVouchedFor = true }
      return !state.isVouchedFor && !state.isClosed
    }
    // One timer at a time, because each long frame calls this.
    guard isNew else { return }
    connection.loop.schedule(after: .seconds(1)) { [weak self] in
      self?.withState { $0.isVouchedFor = false }
      self?.vouch()
    }
  }

  /// Sends the answer of a CALL and releases the space of the CALL. Any thread.
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
  /// Passes a frame to the session and counts the bytes that the host holds because of it. Returns
  /// the resulting actions.
  mutating func take(_ frame: Frame) -> [HostAction] {
    take(
      ParsedFrame(frame, publishCredit: session.publishCredit), size: frame.body.count)
  }

  /// Does the same with a frame that was parsed before.
  /// - Parameter size: the size of the frame's body in bytes.
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
  /// The size in bytes of the body, or 0 if the body hasn't been read.
  var size: Int {
    if case .frame(let frame) = self { frame.body.count } else { 0 }
  }

  /// Whether neither credit nor an answer limits the number of such frames.
  var carriesNothing: Bool {
    guard case .frame(let frame) = self else { return true }
    return switch frame.op {
    case .heartbeat, .credit, .unsubscribe, .error, nil: true
    default: false
    }
  }
}
