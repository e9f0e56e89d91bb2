internal import AgentSystem

/// A page of events that is being filled. Ends by events, by bytes, or by events left out.
struct PageInProgress {
  private let selection: EventSelection
  private let size: Int
  private var patience: Int
  private var events: [StoredEvent] = []
  private var bytes = 0
  private var place: EventSelection.Place?

  /// - Parameter patience: how many events may be left out for each event that the page may hold.
  init(_ selection: EventSelection, size: Int, patience: Int) {
    self.selection = selection
    self.size = size
    // A small page looks at 10,000 events all the same, because each page costs its reader a
    // transaction.
    self.patience = max(10_000, size.multipliedReportingOverflow(by: patience).partialValue)
    // A caller may ask for any size, so not all of it is reserved.
    events.reserveCapacity(min(size, 1000))
  }

  /// - Returns: whether the page is full.
  mutating func add(_ event: StoredEvent) -> Bool {
    events.append(event)
    bytes += event.body.count
    place = .init(timestamp: event.timestamp, position: event.position)
    return events.count >= size
      || bytes >= min(selection.pageBytes ?? .max, SQLiteEventReader.pageBytes)
  }

  /// Counts an event that is left out.
  /// - Returns: whether the page has looked at enough.
  mutating func skip(_ timestamp: Int64, _ position: Int64) -> Bool {
    patience -= 1
    // Events that are left out move the place too, or the next page would look at them once more.
    place = .init(timestamp: timestamp, position: position)
    return patience <= 0
  }

  var finished: EventPage { EventPage(events: events, next: nil) }

  /// More may follow, unless the selection's own limit is reached.
  var unfinished: EventPage {
    var next = selection
    next.place = place
    if let limit = selection.limit {
      guard limit > events.count else { return finished }
      // The limit is for the whole selection, so each page takes its share from it.
      next.limit = limit - events.count
    }
    return EventPage(events: events, next: next)
  }
}

extension EventSelection {
  /// The timestamps asked for; nil when there can be none.
  var times: ClosedRange<Int64>? {
    let from = from ?? .min
    guard let before else { return from...Int64.max }
    return from < before ? from...before.subtracting(1) : nil
  }

  /// The timestamps that may still come after the place where a page ended. The rest of that
  /// place's own millisecond isn't among them: a statement of its own reads it.
  func timesAfterPlace(_ times: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    guard let place else { return times }
    if isBackwards {
      guard place.timestamp > times.lowerBound else { return nil }
      return times.lowerBound...place.timestamp.subtracting(1)
    }
    guard place.timestamp < times.upperBound else { return nil }
    return place.timestamp.adding(1)...times.upperBound
  }

  /// The positions that may still come; nil when there can be none.
  var positions: ClosedRange<Int64>? {
    var (least, greatest) = (Int64.min, through ?? .max)
    if let after {
      guard after < .max else { return nil }
      least = after.adding(1)
    }
    // In the order of time a position says nothing about what is still to come.
    if order == .position, let place {
      if isBackwards {
        greatest = min(greatest, place.position.subtracting(1))
      } else {
        least = max(least, place.position.adding(1))
      }
    }
    return least <= greatest ? least...greatest : nil
  }
}
