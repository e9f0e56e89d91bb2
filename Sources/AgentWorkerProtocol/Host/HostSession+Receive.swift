import AgentJSON

extension HostSession {
  mutating func handle(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    guard let op = frame.op else { return [.send(unsupported(frame))] }
    if frame.descriptor {
      throw WorkerProtocolError(
        code: .descriptor, message: "\(op.name) announced a descriptor that didn't come with it.")
    }
    switch state {
    case .awaitingHello:
      guard op == .hello else { throw unexpected(frame) }
      return try hello(Hello(json: frame.body))
    default:
      return try handle(op, frame)
    }
  }

  private mutating func handle(
    _ op: Op, _ frame: Frame
  ) throws(WorkerProtocolError) -> [HostAction] {
    switch op {
    case .loaded: return try loaded(frame)
    case .ready: return try ready(frame)
    case .reply: return try answered(frame)
    case .error: return try refused(frame)
    case .part: return try part(frame)
    case .publish: return try publish(frame)
    case .subscribe: return try subscribe(frame)
    case .unsubscribe: return unsubscribe(frame)
    case .credit: return try credit(frame)
    case .call: return try call(frame)
    case .log: return [.log(try LogRecord(json: frame.body, call: frame.id))]
    case .heartbeat: return [.heartbeat]
    case .ended: return [.endedByItself(try Ended(json: frame.body))]
    case .hello, .load, .configure, .start, .stop, .ping, .invoke, .cancel, .event:
      throw unexpected(frame)
    }
  }

  private mutating func hello(_ hello: Hello) throws(WorkerProtocolError) -> [HostAction] {
    guard hello.protocols.overlaps(Self.protocols) else {
      throw .body(
        "HELLO",
        "offers protocol \(hello.protocols.lowerBound) to \(hello.protocols.upperBound); this host "
          + "speaks \(Self.protocols.lowerBound) to \(Self.protocols.upperBound)")
    }
    state = hasLoadedAhead ? .loading : .greeted
    return [.hello(hello)]
  }

  private mutating func loaded(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    let loaded = try Loaded(json: frame.body)
    guard settle(frame.id) == .load else { throw unexpected(frame) }
    // After STOP or a refusal, a late answer changes nothing.
    guard state == .loading else { return [] }
    state = .loaded
    return [.loaded(loaded)] + (isConfiguredAhead ? awaitReady() : [])
  }

  private mutating func ready(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    guard settle(frame.id) == .configure else { throw unexpected(frame) }
    guard case .configuring(let missing) = state else { return [] }
    state = missing > 1 ? .configuring(missing - 1) : .ready
    return missing > 1 ? [] : [.ready]
  }

  private mutating func answered(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    switch settle(frame.id) {
    case .start:
      guard case .starting(let missing) = state else { return [] }
      state = missing > 1 ? .starting(missing - 1) : .running
      return missing > 1 ? [] : [.started]
    case .stop:
      guard state == .stopping else { return [] }
      state = .ended
      return [.stopped]
    case .ping: return [.pong]
    case .invoke: return [.finished(frame.id, .success(try checked(frame)))]
    case .load, .configure, nil: throw unexpected(frame)
    }
  }

  private mutating func refused(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    let error = try WorkerError(json: frame.body)
    guard frame.id != 0 else {
      return [.log(LogRecord(level: .error, message: error.description))]
    }
    switch settle(frame.id) {
    case .load: return refuse(.load, error)
    case .configure: return refuse(.configure, error)
    case .start: return refuse(.start, error)
    // The error is only logged, because the supervisor ends the process at the deadline anyway.
    case .stop: return [.log(LogRecord(level: .warning, message: error.description))]
    // An error also proves that the worker is alive.
    case .ping: return [.pong]
    case .invoke: return [.finished(frame.id, .failure(error))]
    case nil: throw unexpected(frame)
    }
  }

  private mutating func refuse(_ op: Op, _ error: WorkerError) -> [HostAction] {
    guard state != .refused, state != .stopping, state != .ended else { return [] }
    state = .refused
    return [.refused(op, error)]
  }

  private mutating func part(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    let part = try Part(json: frame.body)
    // The numbers reveal a lost or repeated part.
    guard case .invoke(let next) = pending[frame.id], part.sequence == next else {
      throw unexpected(frame)
    }
    pending[frame.id] = .invoke(nextPart: next + 1)
    return [.part(frame.id, part.value)]
  }

  private func checked(_ frame: Frame) throws(WorkerProtocolError) -> [UInt8] {
    guard !frame.body.isEmpty else { return frame.body }
    _ = try document(frame)
    return frame.body
  }

  func document(_ frame: Frame) throws(WorkerProtocolError) -> JSONDocument {
    do {
      return try JSONDocument(parsing: frame.body)
    } catch {
      throw WorkerProtocolError(
        code: .body, message: "The body of \(frame.name) isn't JSON.", cause: "\(error)")
    }
  }

  func unexpected(_ frame: Frame) -> WorkerProtocolError {
    WorkerProtocolError(
      code: .body, message: "\(frame.name) with id \(frame.id) came where it isn't allowed.")
  }

  private func unsupported(_ frame: Frame) -> Frame {
    let error = WorkerError(.unsupported, "This host doesn't know op \(frame.code).")
    return Frame(.error, id: frame.id, body: error.json)
  }
}
