internal import AgentSystem

/// A page of events that is being filled. It ends after a number of events, of bytes, or of events
/// that don't match.
struct PageInProgress {
  private let selection: EventSelection
  private var size: Int
  private var patience: Int
  private var events: [StoredEvent] = []
  private var bytes = 0
  private var place: EventSelection.Place?

  /// - Parameter patience: the number of events that may be skipped for each event of the page's
  ///   size.
  init(_ selection: EventSelection, size: Int, patience: Int) {
    self.selection = selection
    self.size = size
    // Even a small page examines 10,000 events, because each page costs its reader a transaction.
    self.patience = max(10_000, size.multipliedReportingOverflow(by: patience).partialValue)
    // A caller may pass any size, so only a part of it is reserved.
    events.reserveCapacity(min(size, 1000))
  }

  /// Makes the page larger, if it isn't as large already.
  mutating func extend(to size: Int) { self.size = max(self.size, size) }

  /// Adds an event.
  /// - Returns: whether the page is full.
  mutating func add(_ event: StoredEvent) -> Bool {
    events.append(event)
    bytes += event.body.count
    place = .init(timestamp: event.timestamp, position: event.position)
    return events.count >= size
      || bytes >= min(selection.pageBytes ?? .max, SQLiteEventReader.pageBytes)
  }

  /// Counts an event that doesn't match.
  /// - Returns: whether the page has examined enough events.
  mutating func skip(_ timestamp: Int64, _ position: Int64) -> Bool {
    patience -= 1
    // Skipped events move the place too. Otherwise, the next page would examine them again.
    place = .init(timestamp: timestamp, position: position)
    return patience <= 0
  }

  var finished: EventPage { EventPage(events: events, next: nil) }

  /// The page if further events may follow. If the selection's limit is reached, it is the last
  /// page.
  var unfinished: EventPage {
    var next = selection
    next.place = place
    if let limit = selection.limit {
      guard limit > events.count else { return finished }
      // The limit applies to the whole selection, so each page reduces it.
      next.limit = limit - events.count
    }
    return EventPage(events: events, next: next)
  }
}

extension EventSelection {
  /// The range of selected timestamps; `nil` if it is empty.
  var times: ClosedRange<Int64>? {
    let from = from ?? .min
    guard let before else { return from...Int64.max }
    return from < before ? from...before.subtracting(1) : nil
  }

  /// Returns the timestamps after the end of the former page. The rest of its last millisecond
  /// isn't included, because another statement reads it.
  func timesAfterPlace(_ times: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    guard let place else { return times }
    if isBackwards {
      guard place.timestamp > times.lowerBound else { return nil }
      return times.lowerBound...place.timestamp.subtracting(1)
    }
    guard place.timestamp < times.upperBound else { return nil }
    return place.timestamp.adding(1)...times.upperBound
  }

  /// The range of positions that may follow; `nil` if it is empty.
  var positions: ClosedRange<Int64>? {
    var (least, greatest) = (Int64.min, through ?? .max)
    if let after {
      guard after < .max else { return nil }
      least = after.adding(1)
    }
    // In the order of time, the last position doesn't restrict the following ones.
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
