import AgentJSON

extension HostSession {
  /// The number of events that the worker may publish now.
  public var publishCredit: Int { publishing.available }

  mutating func publish(_ document: JSONDocument) throws(WorkerProtocolError) -> [HostAction] {
    let count = document.root.count
    let available = publishing.available
    guard publishing.spend(count) else {
      throw WorkerProtocolError(
        code: .body, message: "PUBLISH spent credit for \(count) events; \(available) were granted."
      )
    }
    return count == 0 ? [] : [.published(document)]
  }

  mutating func publish(_ parts: PublishParts) -> [HostAction] {
    // The parts spend the remaining credit.
    _ = publishing.spend(parts.tooLong.count)
    return [.publishedInParts(parts.frames, tooLong: parts.tooLong)]
  }

  mutating func subscribe(
    _ request: Subscribe, _ frame: Frame
  ) throws(WorkerProtocolError) -> [HostAction] {
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

  mutating func credit(_ credit: Credit, _ frame: Frame) -> [HostAction] {
    // The host may have ended the subscription while the frame was on its way.
    guard subscriptions[frame.id] != nil else { return [] }
    subscriptions[frame.id]?.grant(credit.count)
    return [.credited(frame.id, dealtWith: credit.dealtWith)]
  }

  mutating func call(_ call: Call, _ frame: Frame) throws(WorkerProtocolError) -> [HostAction] {
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
