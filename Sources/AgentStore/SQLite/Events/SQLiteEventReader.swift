internal import GRDBSQLite

/// Reads the event log on one connection, on the thread that uses it.
class SQLiteEventReader: EventReader {
  let session: SQLiteSession
  /// The names of types by number. The name of a committed number never changes.
  var names: [Int64: String] = [:]
  private var spellings = TypeSpellings()
  var timeStatements = TimeStatements()

  /// A page ends when it has examined 50 events for each event of its size. Therefore, a selection
  /// that matches few events ends its transaction regularly, and other reads can run in between.
  static let patience = 50
  /// The size of the bodies at which a page ends: 8 MB, because the reader gets the page as a
  /// whole.
  static let pageBytes = 8 << 20
  /// The number of opened types above which a page in the order of time has more events than
  /// requested.
  static let manyTypes = 64
  /// The largest number of events of such a page.
  static let largestPage = 10_000

  init(_ session: SQLiteSession) { self.session = session }

  func page(_ selection: EventSelection, size: Int) throws(StoreError) -> EventPage {
    // A size of 0 would make no progress, and the caller would read forever.
    let wanted = min(max(1, size), selection.limit ?? .max)
    guard wanted > 0 else { return EventPage(events: [], next: nil) }
    return switch selection.order {
    case .position: try byPosition(selection, size: wanted)
    case .timestamp: try byTimestamp(selection, size: wanted)
    }
  }

  func types() throws(StoreError) -> [EventTypeSummary] {
    // The index on type and timestamp gives the first and the last timestamp without a scan.
    var summaries: [EventTypeSummary] = []
    try session.each(
      """
      SELECT name, count, bytes,
        (SELECT min(timestamp) FROM events WHERE type = id),
        (SELECT max(timestamp) FROM events WHERE type = id)
      FROM event_types WHERE count > 0 ORDER BY name
      """
    ) { row throws(StoreError) in
      summaries.append(
        EventTypeSummary(
          type: row.text(0), count: row.integer(1), bytes: row.integer(2),
          first: row.isNull(3) ? nil : row.integer(3), last: row.isNull(4) ? nil : row.integer(4)))
    }
    return summaries
  }

  func types(spelledLike lowercased: Set<String>) throws(StoreError) -> [String] {
    try spellings.read(session)
    return lowercased.sorted().flatMap { spellings.names($0) }
  }

  func countOfTypes() throws(StoreError) -> Int {
    try session.first("SELECT count(*) FROM event_types") { Int(clamping: $0.integer(0)) } ?? 0
  }

  func lastPosition() throws(StoreError) -> Int64 {
    // The newest events may have been removed. Their positions aren't reused.
    try session.first(
      "SELECT max((SELECT removed FROM event_sequence), ifnull((SELECT max(position) FROM events), 0))"
    ) { $0.integer(0) } ?? 0
  }

  /// Returns the name of a type's number.
  func name(of type: Int64) throws(StoreError) -> String {
    if let name = names[type] { return name }
    let found = try session.first("SELECT name FROM event_types WHERE id = ?", .integer(type)) {
      $0.text(0)
    }
    // Types with events are never removed, so a number without a name means damage.
    guard let found else {
      throw StoreError(.corrupt, "The event log has events of a type that it doesn't know.")
    }
    // The name is cached permanently, because a number is never reused for another type.
    names[type] = found
    return found
  }

  /// Returns the numbers of types. Types that never had an event are skipped.
  func numbers(of types: [String]) throws(StoreError) -> Set<Int64> {
    var numbers: Set<Int64> = []
    for type in types {
      let found = try session.first("SELECT id FROM event_types WHERE name = ?", .text(type)) {
        $0.integer(0)
      }
      if let found { numbers.insert(found) }
    }
    return numbers
  }

  /// Returns the numbers of the selected types; `nil` if all types are selected.
  func numbers(of selection: EventSelection) throws(StoreError) -> Set<Int64>? {
    guard let types = selection.types else { return nil }
    return try numbers(of: types)
  }

  // MARK: By position

  private func byPosition(_ selection: EventSelection, size: Int) throws(StoreError) -> EventPage {
    let wanted = try numbers(of: selection)
    if wanted?.isEmpty == true { return EventPage(events: [], next: nil) }
    guard let times = selection.times, let positions = selection.positions else {
      return EventPage(events: [], next: nil)
    }
    let statement = try session.statement(
      selection.isBackwards
        ? """
        SELECT position, timestamp, source, body, type FROM events
        WHERE position BETWEEN ? AND ? ORDER BY position DESC
        """
        : """
        SELECT position, timestamp, source, body, type FROM events
        WHERE position BETWEEN ? AND ? ORDER BY position
        """)
    defer { statement.reset() }
    try statement.bind([.integer(positions.lowerBound), .integer(positions.upperBound)])
    var page = PageInProgress(selection, size: size, patience: Self.patience)
    while try statement.step() {
      let (position, timestamp) = (statement.integer(0), statement.integer(1))
      let type = statement.integer(4)
      // Checked here and not in the statement, which uses the primary key. Therefore, events that
      // don't match are counted and can end the page.
      guard times.contains(timestamp), wanted?.contains(type) ?? true else {
        if page.skip(timestamp, position) { return page.unfinished }
        continue
      }
      if page.add(event(statement, type: try name(of: type))) { return page.unfinished }
    }
    return page.finished
  }

  func event(_ row: SQLiteStatement, type: String) -> StoredEvent {
    StoredEvent(
      position: row.integer(0), type: type, timestamp: row.integer(1), source: row.text(2),
      body: row.blob(3))
  }
}
