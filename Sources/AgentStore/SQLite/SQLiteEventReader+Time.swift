/// Reads in the order of timestamps: of each type by its index, merged.
extension SQLiteEventReader {
  /// One type's events, the next of which has been read.
  private struct Source {
    let type: String
    var statement: SQLiteStatement
    /// What is read after it.
    var following: SQLiteStatement?
    var timestamp: Int64
    var position: Int64

    /// Whether this one's event comes before another's.
    func precedes(_ other: Source, backwards: Bool) -> Bool {
      let earlier = (timestamp, position) < (other.timestamp, other.position)
      return backwards ? !earlier : earlier
    }

    /// Goes to the next event.
    /// - Returns: whether there is one.
    mutating func advance() throws(StoreError) -> Bool {
      while true {
        if try statement.step() {
          position = statement.integer(0)
          timestamp = statement.integer(1)
          return true
        }
        guard let next = following else { return false }
        statement = next
        following = nil
      }
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
    var page = PageInProgress(selection, size: size, patience: Self.patience)
    while var source = sources.popLast() {
      let isFull =
        positions.contains(source.position)
        ? page.add(event(source.statement, type: source.type))
        : page.skip(source.timestamp, source.position)
      if isFull { return page.unfinished }
      if try source.advance() { insert(source, selection, &sources) }
    }
    return page.finished
  }

  private func source(
    _ type: Int64, _ name: String, _ selection: EventSelection, _ times: ClosedRange<Int64>
  ) throws(StoreError) -> Source? {
    let backwards = selection.isBackwards
    var later: SQLiteStatement?
    if let times = selection.timesAfterPlace(times) {
      later = try statement(type, times, backwards: backwards)
    }
    var sooner: SQLiteStatement?
    // Millions may have the same timestamp, so the index has to find the position too.
    if let place = selection.place {
      sooner = try statement(type, place, backwards: backwards)
    }
    guard let first = sooner ?? later else { return nil }
    var source = Source(
      type: name, statement: first, following: sooner == nil ? nil : later, timestamp: 0,
      position: 0)
    return try source.advance() ? source : nil
  }

  /// Several of them are stepped at the same time, so they can't be shared.
  private func statement(
    _ type: Int64, _ times: ClosedRange<Int64>, backwards: Bool
  ) throws(StoreError) -> SQLiteStatement {
    let statement = try SQLiteStatement(
      session,
      backwards
        ? """
        SELECT position, timestamp, source, body FROM events
        WHERE type = ? AND timestamp BETWEEN ? AND ? ORDER BY timestamp DESC, position DESC
        """
        : """
        SELECT position, timestamp, source, body FROM events
        WHERE type = ? AND timestamp BETWEEN ? AND ? ORDER BY timestamp, position
        """)
    try statement.bind([
      .integer(type), .integer(times.lowerBound), .integer(times.upperBound),
    ])
    return statement
  }

  /// What is left of the millisecond in which a page has ended.
  private func statement(
    _ type: Int64, _ place: EventSelection.Place, backwards: Bool
  ) throws(StoreError) -> SQLiteStatement {
    let statement = try SQLiteStatement(
      session,
      backwards
        ? """
        SELECT position, timestamp, source, body FROM events
        WHERE type = ? AND timestamp = ? AND position < ? ORDER BY position DESC
        """
        : """
        SELECT position, timestamp, source, body FROM events
        WHERE type = ? AND timestamp = ? AND position > ? ORDER BY position
        """)
    try statement.bind([
      .integer(type), .integer(place.timestamp), .integer(place.position),
    ])
    return statement
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
