/// The events that a module publishes while credit is missing, in order.
struct PublicationQueue: Sendable {
  private struct Waiting {
    let token: UInt64
    var events: ArraySlice<[UInt8]>
    let size: Int
  }

  /// The number of bytes that may wait behind other publications. A module that doesn't wait for
  /// `accepted` gets `overloaded`. One publication may always wait, whatever its size.
  static let maxBytes = 8 << 20
  /// The largest size of a frame with several events, in bytes. A single event may be longer.
  static let maxFrame = 512 << 10

  private var credit = CreditCounter()
  private var waiting: [Waiting] = []
  private var bytes = 0

  mutating func publish(_ events: [[UInt8]], token: UInt64?) -> PublishOutcome {
    if waiting.isEmpty, credit.spend(events.count) { return .sent(Self.frames(events[...])) }
    let size = events.reduce(0) { $0 + $1.count }
    // A publication that is larger than the queue would otherwise be refused for ever.
    guard let token, waiting.isEmpty || bytes + size <= Self.maxBytes else {
      return .refused(.overloaded)
    }
    bytes += size
    waiting.append(Waiting(token: token, events: events[...], size: size))
    // The host returns credit in portions. It might wait for the events that are held back here, so
    // the credit is used up.
    let frames = drain().compactMap { action in
      if case .send(let frame) = action { frame } else { nil }
    }
    return .waiting(frames)
  }

  /// Adds credit and sends the events that it covers. A publication may be sent in parts.
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

  /// Drops the waiting publications and returns their tokens.
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
