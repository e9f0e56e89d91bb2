internal import DequeModule

/// What a bus holds, under its lock.
struct EventBusState {
  var position: UInt64 = 0
  var subscriptions: [UInt64: EventSubscription] = [:]
  var byType: [String: Set<UInt64>] = [:]
  var ofEveryType: Set<UInt64> = []
  var nextSubscription: UInt64 = 1
  var recent: Deque<Event> = []
  var recentBytes = 0
  var published: UInt64 = 0

  /// Type names are compared without case, as queries do.
  func interested(in event: Event) -> Set<UInt64> {
    guard let typed = byType[event.type.lowercased()] else { return ofEveryType }
    return ofEveryType.isEmpty ? typed : typed.union(ofEveryType)
  }

  mutating func insert(_ subscription: EventSubscription) {
    subscriptions[subscription.id] = subscription
    if let type = subscription.query.type {
      byType[type.lowercased(), default: []].insert(subscription.id)
    } else {
      ofEveryType.insert(subscription.id)
    }
  }

  mutating func remove(_ subscription: EventSubscription) {
    subscriptions[subscription.id] = nil
    ofEveryType.remove(subscription.id)
    guard let type = subscription.query.type?.lowercased() else { return }
    byType[type]?.remove(subscription.id)
    if byType[type]?.isEmpty == true { byType[type] = nil }
  }
}
