/// Reads in the order of timestamps: of each type by its index, merged.
extension SQLiteEventReader {
  /// One type's events, the next of which has been read.
  private struct Source {
    let statement: SQLiteStatement
    let type: String
    var timestamp: Int64
    var position: Int64

    /// Whether this one's event comes before another's.
    func precedes(_ other: Source, backwards: Bool) -> Bool {
      let earlier = (timestamp, position) < (other.timestamp, other.position)
      return backwards ? !earlier : earlier
    }
  }

  func byTimestamp(_ selection: EventSelection, size: Int) throws(StoreError) -> EventPage {
    guard let times = selection.times, let positions = selection.positions else {
      return EventPage(events: [], next: nil)
    }
    var sources: [Source] = []
    for type in try numbers(of: selection.types) {
      let name = try name(of: type)
      if let source = try source(type, name, selection, times) {
        insert(source, selection, &sources)
      }
    }
    var page = PageInProgress(selection, size: size, patience: 50)
    while var source = sources.popLast() {
      let isFull =
        positions.contains(source.position)
        ? page.add(event(source.statement, type: source.type))
        : page.skip(source.timestamp, source.position)
      if isFull { return page.unfinished }
      if try advance(&source) { insert(source, selection, &sources) }
    }
    return page.finished
  }

  private func source(
    _ type: Int64, _ name: String, _ selection: EventSelection, _ times: ClosedRange<Int64>
  ) throws(StoreError) -> Source? {
    let backwards = selection.isBackwards
    let place =
      selection.place
      ?? (backwards
        ? .init(timestamp: times.upperBound, position: .max)
        : .init(timestamp: times.lowerBound, position: .min))
    // Several of them are stepped at the same time, so they can't be shared.
    let statement = try SQLiteStatement(
      session,
      backwards
        ? """
        SELECT position, timestamp, source, body FROM events
        WHERE type = ?1 AND timestamp >= ?2 AND (timestamp, position) < (?3, ?4)
        ORDER BY timestamp DESC, position DESC
        """
        : """
        SELECT position, timestamp, source, body FROM events
        WHERE type = ?1 AND timestamp <= ?2 AND (timestamp, position) > (?3, ?4)
        ORDER BY timestamp, position
        """)
    try statement.bind([
      .integer(type), .integer(backwards ? times.lowerBound : times.upperBound),
      .integer(place.timestamp), .integer(place.position),
    ])
    var source = Source(statement: statement, type: name, timestamp: 0, position: 0)
    return try advance(&source) ? source : nil
  }

  private func advance(_ source: inout Source) throws(StoreError) -> Bool {
    guard try source.statement.step() else { return false }
    source.position = source.statement.integer(0)
    source.timestamp = source.statement.integer(1)
    return true
  }

  /// Keeps the source whose event comes next at the end.
  private func insert(_ source: Source, _ selection: EventSelection, _ sources: inout [Source]) {
    var index = sources.count
    while index > 0, sources[index - 1].precedes(source, backwards: selection.isBackwards) {
      index -= 1
    }
    sources.insert(source, at: index)
  }
}
