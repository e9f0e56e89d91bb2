extension HostSession {
  mutating func handle(_ parsed: ParsedFrame) throws(WorkerProtocolError) -> [HostAction] {
    let frame = parsed.frame
    guard let op = frame.op else { return [.send(unsupported(frame))] }
    if frame.descriptor {
      throw WorkerProtocolError(
        code: .descriptor, message: "\(op.name) announced a descriptor that didn't come with it.")
    }
    if state == .awaitingHello, op != .hello { throw unexpected(frame) }
    switch op {
    // Their bodies aren't read.
    case .ready: return try ready(frame)
    case .unsubscribe: return unsubscribe(frame)
    case .heartbeat: return [.heartbeat]
    case .hello where state != .awaitingHello: throw unexpected(frame)
    // The answers to other requests than INVOKE may be anything.
    case .reply: return try answered(parsed)
    default: return try handle(try parsed.body.get(), of: frame)
    }
  }

  private mutating func handle(
    _ body: ParsedFrame.Body, of frame: Frame
  ) throws(WorkerProtocolError) -> [HostAction] {
    switch body {
    case .hello(let hello): return try self.hello(hello)
    case .loaded(let loaded): return try self.loaded(loaded, frame)
    case .error(let error): return try refused(error, frame)
    case .part(let part): return try self.part(part, frame)
    case .published(let document): return try publish(document)
    case .publishedInParts(let parts): return publish(parts)
    case .subscribe(let request): return try subscribe(request, frame)
    case .credit(let credit): return self.credit(credit, frame)
    case .call(let call): return try self.call(call, frame)
    case .log(let record): return [.log(record)]
    case .ended(let ended): return [.endedByItself(ended)]
    case .reply, .unread: throw unexpected(frame)
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

  private mutating func loaded(
    _ loaded: Loaded, _ frame: Frame
  ) throws(WorkerProtocolError) -> [HostAction] {
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

  private mutating func answered(
    _ parsed: ParsedFrame
  ) throws(WorkerProtocolError) -> [HostAction] {
    let frame = parsed.frame
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
    case .invoke:
      _ = try parsed.body.get()
      return [.finished(frame.id, .success(frame.body))]
    case .load, .configure, nil: throw unexpected(frame)
    }
  }

  private mutating func refused(
    _ error: WorkerError, _ frame: Frame
  ) throws(WorkerProtocolError) -> [HostAction] {
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

  private mutating func part(
    _ part: Part, _ frame: Frame
  ) throws(WorkerProtocolError) -> [HostAction] {
    // The numbers reveal a lost or repeated part.
    guard case .invoke(let next) = pending[frame.id], part.sequence == next else {
      throw unexpected(frame)
    }
    pending[frame.id] = .invoke(nextPart: next + 1)
    return [.part(frame.id, part.value)]
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
