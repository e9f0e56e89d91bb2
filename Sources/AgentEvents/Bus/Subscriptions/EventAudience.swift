internal import AgentQueries

/// Subscriptions with the same filter. An event is matched once for all of them, and they share the
/// array of the events that matched.
struct EventAudience {
  /// Identifies a filter.
  ///
  /// The key includes the bytes of the text. Swift treats canonically equivalent strings as equal,
  /// and an exact comparison in a filter doesn't.
  struct Key: Hashable {
    private let bytes: [UInt8]
    private let tree: FilterTree

    init(_ query: EventQuery) {
      bytes = Array(query.text.utf8)
      tree = query.filter.tree
    }
  }

  let key: Key
  var members: [EventSubscription] = []
}

/// The audiences of a bus, found by the events that match them. Used under the bus's lock.
struct EventAudiences {
  /// The audiences by id. The id of a removed audience is used again.
  private var audiences: [EventAudience?] = []
  private var ids: [EventAudience.Key: Int] = [:]
  private var filters = FilterIndex<Int>()
  /// The matching events of each audience during a match. The array is kept between calls, because
  /// there may be thousands of audiences.
  private var selections: [EventRun.Selection?] = []
  private(set) var count = 0

  /// The members of each audience.
  var groups: [[EventSubscription]] { audiences.compactMap { $0?.members } }

  mutating func insert(_ subscription: EventSubscription) {
    let key = EventAudience.Key(subscription.query)
    let id = ids[key] ?? make(key, subscription.query.filter)
    audiences[id]?.members.append(subscription)
    count += 1
  }

  private mutating func make(_ key: EventAudience.Key, _ filter: EventFilter) -> Int {
    let free = audiences.firstIndex { $0 == nil }
    let id = free ?? audiences.count
    if id == audiences.count {
      audiences.append(nil)
      selections.append(nil)
    }
    audiences[id] = EventAudience(key: key)
    ids[key] = id
    filters.insert(filter, id: id)
    return id
  }

  /// All subscriptions.
  var members: [EventSubscription] { audiences.flatMap { $0?.members ?? [] } }

  /// - Returns: whether it was there.
  mutating func remove(_ subscription: EventSubscription) -> Bool {
    let key = EventAudience.Key(subscription.query)
    guard let id = ids[key], var audience = audiences[id],
      let place = audience.members.firstIndex(where: { $0 === subscription })
    else { return false }
    audience.members.remove(at: place)
    audiences[id] = audience.members.isEmpty ? nil : audience
    count -= 1
    guard audience.members.isEmpty else { return true }
    ids[key] = nil
    filters.remove(id)
    return true
  }

  /// Whether some subscription may match an event of this type.
  func mayMatch(type: String) -> Bool { count > 0 && filters.mayMatch(type: type) }

  /// Returns the audiences that match some of the events, each with its events. The cost grows with
  /// the matches, not with the number of audiences.
  mutating func receivers(
    of events: [Event]
  ) -> [(members: [EventSubscription], run: EventRun)] {
    guard count > 0 else { return [] }
    var chosen: [Int] = []
    for (place, event) in events.enumerated() {
      for id in filters.matching(event.object) {
        // Only the matching audiences are visited afterwards.
        if selections[id] == nil { chosen.append(id) }
        selections[id, default: EventRun.Selection()].add(place, of: events)
      }
    }
    return chosen.compactMap { id in
      defer { selections[id] = nil }
      guard let audience = audiences[id], let selection = selections[id] else { return nil }
      return (audience.members, EventRun(selection.events(of: events)))
    }
  }
}

extension Array {
  /// An element that is created if it is missing.
  fileprivate subscript<Value>(
    position: Int, default value: @autoclosure () -> Value
  ) -> Value where Element == Value? {
    get { self[position] ?? value() }
    _modify {
      var element = self[position] ?? value()
      // The array must not share the element during the change, or the change would copy it.
      self[position] = nil
      defer { self[position] = element }
      yield &element
    }
  }
}
