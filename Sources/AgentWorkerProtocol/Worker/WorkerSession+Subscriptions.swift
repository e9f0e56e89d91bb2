/// The worker's side of a subscription.
struct SubscriptionState: Sendable {
  var granted: CreditCounter
  var returning: CreditReturn
  /// Whether the host remembers which events were processed. Each acknowledgment is then sent at
  /// once.
  var isDurable: Bool
}

extension WorkerSession {
  /// Subscribes, with credit for the first events. `.events` and `.closed` follow.
  public mutating func subscribe(_ request: Subscribe) -> (id: UInt32, frames: [Frame]) {
    let id = newID()
    let window = Self.subscriptionWindow
    subscriptions[id] = SubscriptionState(
      granted: CreditCounter(available: window), returning: CreditReturn(window: window),
      isDurable: request.consumer != nil)
    return (
      id,
      [
        Frame(.subscribe, id: id, body: request.json),
        Frame(.credit, id: id, body: Credit(count: window).json),
      ]
    )
  }

  /// Acknowledges processed events. For a durable consumer, each acknowledgment is sent. For
  /// others, it is collected, and a frame is sent for every quarter of the window.
  public mutating func acknowledge(_ subscription: UInt32, _ count: Int) -> Frame? {
    guard var state = subscriptions[subscription] else { return nil }
    defer { subscriptions[subscription] = state }
    let grant = state.isDurable ? max(0, count) : state.returning.add(count)
    guard grant > 0 else { return nil }
    state.granted.grant(grant)
    let credit = Credit(count: grant, dealtWith: state.isDurable ? grant : 0)
    return Frame(.credit, id: subscription, body: credit.json)
  }

  /// Ends a subscription, whose later events are ignored. Returns `nil` if there is none.
  public mutating func unsubscribe(_ subscription: UInt32) -> Frame? {
    guard subscriptions.removeValue(forKey: subscription) != nil else { return nil }
    return Frame(.unsubscribe, id: subscription)
  }

  mutating func events(_ frame: Frame) throws(WorkerProtocolError) -> [WorkerAction] {
    let batch = try EventBatch(json: frame.body)
    // The frame may have been on its way when the subscription ended.
    guard var subscription = subscriptions[frame.id] else { return [] }
    guard subscription.granted.spend(batch.count) else {
      throw .body("EVENT", "spends credit that wasn't granted")
    }
    guard batch.isLast else {
      subscriptions[frame.id] = subscription
      return [.events(frame.id, batch)]
    }
    subscriptions[frame.id] = nil
    let closed = WorkerAction.closed(frame.id, WorkerError(.ok, ""))
    return batch.count == 0 ? [closed] : [.events(frame.id, batch), closed]
  }

  mutating func credit(_ frame: Frame) throws(WorkerProtocolError) -> [WorkerAction] {
    let credit = try Credit(json: frame.body)
    guard frame.id == 0 else { return [] }
    return publications.grant(credit.count)
  }
}
