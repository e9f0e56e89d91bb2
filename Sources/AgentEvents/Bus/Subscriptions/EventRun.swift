/// Events that are delivered together, oldest first, in one array for all subscriptions.
struct EventRun: Sendable {
  let events: [Event]
  /// The position of the first stored event. Nil means that none is stored.
  let firstStored: UInt64?
  /// The size of their texts together, in bytes.
  let bytes: Int

  init(_ events: [Event]) {
    self.events = events
    bytes = events[...].textBytes
    firstStored = events.first { $0.isStored }?.position
  }

  /// Collects selected events. Nothing is copied while every event is selected.
  struct Selection {
    private var count = 0
    private var chosen: [Event]?

    init() {}

    mutating func add(_ place: Int, of events: [Event]) {
      if chosen == nil, place == count {
        count += 1
      } else {
        if chosen == nil { chosen = Array(events[..<count]) }
        chosen?.append(events[place])
      }
    }

    func events(of events: [Event]) -> [Event] {
      chosen ?? (count == events.count ? events : Array(events[..<count]))
    }
  }
}

extension ArraySlice<Event> {
  /// The size of their texts together, in bytes.
  var textBytes: Int { reduce(0) { $0 + $1.encoded.count } }
}
