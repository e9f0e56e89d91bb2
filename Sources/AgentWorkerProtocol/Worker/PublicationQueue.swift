/// Events that a module publishes and for which credit is missing wait here, in order.
struct PublicationQueue: Sendable {
  private struct Waiting {
    let token: UInt64
    var events: ArraySlice<[UInt8]>
    let size: Int
  }

  /// The bytes that may wait behind other publications: a module that doesn't wait for `accepted`
  /// gets `overloaded`. Whatever its size, one publication may wait.
  static let maxBytes = 8 << 20
  /// The size in bytes that a frame of several events doesn't exceed. A single event may be longer.
  static let maxFrame = 512 << 10

  private var credit = CreditCounter()
  private var waiting: [Waiting] = []
  private var bytes = 0

  mutating func publish(_ events: [[UInt8]], token: UInt64?) -> PublishOutcome {
    if waiting.isEmpty, credit.spend(events.count) { return .sent(Self.frames(events[...])) }
    let size = events.reduce(0) { $0 + $1.count }
    // One that is larger than the queue would be refused for ever, if nothing else were waiting.
    guard let token, waiting.isEmpty || bytes + size <= Self.maxBytes else {
      return .refused(.overloaded)
    }
    bytes += size
    waiting.append(Waiting(token: token, events: events[...], size: size))
    // The host returns credit in portions: events held back now might be what it waits for.
    let frames = drain().compactMap { action in
      if case .send(let frame) = action { frame } else { nil }
    }
    return .waiting(frames)
  }

  /// Adds credit, and sends the events that it covers; a publication may be sent in pieces.
  mutating func grant(_ count: Int) -> [WorkerAction] {
    credit.grant(count)
    return drain()
  }

  private mutating func drain() -> [WorkerAction] {
    var actions: [WorkerAction] = []
    while let first = waiting.first, credit.available > 0 {
      let batch = first.events.prefix(credit.available)
      _ = credit.spend(batch.count)
      actions += Self.frames(batch).map { .send($0) }
      let rest = first.events.dropFirst(batch.count)
      guard rest.isEmpty else {
        waiting[0].events = rest
        break
      }
      bytes -= first.size
      waiting.removeFirst()
      actions.append(.accepted([first.token], .ok))
    }
    return actions
  }

  /// Drops the waiting publications.
  mutating func close() -> [UInt64] {
    let tokens = waiting.map(\.token)
    waiting.removeAll()
    bytes = 0
    return tokens
  }

  private static func frames(_ events: ArraySlice<[UInt8]>) -> [Frame] {
    var frames: [Frame] = []
    var rest = events
    while !rest.isEmpty {
      var size = 0
      let batch = rest.prefix { event in
        size += event.count
        return size == event.count || size <= maxFrame
      }
      frames.append(Frame(.publish, body: EventBatch(joining: batch).events))
      rest = rest.dropFirst(batch.count)
    }
    return frames
  }
}
