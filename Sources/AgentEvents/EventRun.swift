/// Events that are delivered together, oldest first: one array for all who get it.
struct EventRun: Sendable {
  let events: [Event]
  /// The place of the first that is stored; nil when none is.
  let firstStored: UInt64?
  /// How long their texts are together.
  let bytes: Int

  init(_ events: [Event]) {
    self.events = events
    bytes = events[...].textBytes
    firstStored = events.first { $0.isStored }?.position
  }

  /// Those of some events that are chosen, one after the other. As long as every one is, nothing is
  /// copied.
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
  /// How long their texts are together.
  var textBytes: Int { reduce(0) { $0 + $1.encoded.count } }
}
