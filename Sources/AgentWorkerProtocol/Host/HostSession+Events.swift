import AgentJSON

extension HostSession {
  mutating func publish(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    guard frame.body.count <= PublishParts.maxBytes else { return try publishInParts(frame) }
    let document = try document(frame)
    guard document.root.kind == .array,
      document.root.elements.allSatisfy({ $0.kind == .object })
    else { throw .body("PUBLISH", "isn't an array of objects") }
    let count = document.root.count
    let available = publishing.available
    guard publishing.spend(count) else {
      throw WorkerProtocolError(
        code: .body, message: "PUBLISH spent credit for \(count) events; \(available) were granted."
      )
    }
    return count == 0 ? [] : [.published(document)]
  }

  /// Rationale: 16 MiB may contain millions of values, and other workers wait for the thread that
  /// parses them. If there are more events than the granted credit, none is parsed.
  private mutating func publishInParts(
    _ frame: Frame
  ) throws(WorkerProtocolError) -> [HostAction] {
    let parts = try PublishParts(frame.body, credit: publishing.available)
    // The parts spend the remaining credit.
    _ = publishing.spend(parts.tooLong.count)
    return [.publishedInParts(parts.frames, tooLong: parts.tooLong)]
  }

  mutating func subscribe(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    let request = try Subscribe(json: frame.body)
    guard subscriptions.count < Self.maxSubscriptions else {
      throw WorkerProtocolError(
        code: .body, message: "SUBSCRIBE came while \(subscriptions.count) subscriptions are open.")
    }
    try open(frame)
    subscriptions[frame.id] = CreditCounter()
    return [.subscribe(frame.id, request)]
  }

  mutating func unsubscribe(_ frame: Frame) -> [HostAction] {
    // The host may have ended the subscription while the frame was on its way.
    guard subscriptions.removeValue(forKey: frame.id) != nil else { return [] }
    let wasOpen = calls.remove(frame.id) != nil
    let answer = wasOpen ? [HostAction.send(Frame(.reply, id: frame.id))] : []
    return answer + [.unsubscribe(frame.id)]
  }

  mutating func credit(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    let credit = try Credit(json: frame.body)
    // The host may have ended the subscription while the frame was on its way.
    guard subscriptions[frame.id] != nil else { return [] }
    subscriptions[frame.id]?.grant(credit.count)
    return [.credited(frame.id, dealtWith: credit.dealtWith)]
  }

  mutating func call(_ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
    let call = try Call(json: frame.body)
    try open(frame)
    return [.call(frame.id, call)]
  }

  private mutating func open(_ frame: Frame) throws(WorkerProtocolError) {
    guard calls.count < Self.maxOpenCalls else {
      throw WorkerProtocolError(
        code: .body,
        message: "\(frame.name) came while \(calls.count) requests wait for their answers.")
    }
    // Id 0 is that of frames outside any request.
    guard frame.id != 0, subscriptions[frame.id] == nil, calls.insert(frame.id).inserted else {
      throw unexpected(frame)
    }
  }
}
