/// The types that have events since a moment, that with the newest event first.
///
/// Rationale: all types are read one at a time by an index, because a page of the newest events
/// needs few of them.
struct TypesByNewest {
  /// A type, and a timestamp that none of its events exceeds.
  struct BoundedType {
    let number: Int64
    let newest: Int64
  }

  /// The next type. Nil after the last one.
  private(set) var first: BoundedType?
  /// The named types that follow, the next one last.
  private var named: [BoundedType] = []
  /// The statement that reads all types; nil if types are named.
  private var all: SQLiteStatement?

  /// Reads all types. The caller ends the reading.
  init(from moment: Int64, in session: SQLiteSession) throws(StoreError) {
    // A type without events would cost an unnecessary search.
    let statement = try session.statement(
      "SELECT id, newest FROM event_types WHERE newest >= ? AND count > 0 ORDER BY newest DESC")
    try statement.bind([.integer(moment)])
    all = statement
    do throws(StoreError) {
      try removeFirst()
    } catch {
      end()
      throw error
    }
  }

  /// Reads the types with these names. Types that never had an event are skipped.
  init(_ names: [String], from moment: Int64, in session: SQLiteSession) throws(StoreError) {
    // By number, because Swift compares names by canonical equivalence.
    var seen: Set<Int64> = []
    for name in names {
      let type = try session.first(
        "SELECT id, newest FROM event_types WHERE name = ?", .text(name)
      ) { BoundedType(number: $0.integer(0), newest: $0.integer(1)) }
      if let type, type.newest >= moment, seen.insert(type.number).inserted { named.append(type) }
    }
    named.sort { $0.newest < $1.newest }
    try removeFirst()
  }

  /// Moves to the next type.
  mutating func removeFirst() throws(StoreError) {
    guard let all else {
      first = named.popLast()
      return
    }
    first =
      try all.step() ? BoundedType(number: all.integer(0), newest: all.integer(1)) : nil
  }

  /// Ends the reading. A statement that isn't reset keeps a read transaction open, which prevents a
  /// checkpoint of the write-ahead log.
  func end() { all?.reset() }
}
