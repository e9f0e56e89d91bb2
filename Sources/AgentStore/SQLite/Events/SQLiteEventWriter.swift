internal import AgentSystem
internal import GRDBSQLite

/// Writes the event log on the writer's connection, on the writer's thread.
final class SQLiteEventWriter: SQLiteEventReader, EventStorage {
  /// The changes of a transaction besides its rows. `flush` writes them once for each transaction
  /// and not for each event.
  struct Pending {
    /// The changes of a type's numbers.
    struct Total {
      var count: Int64 = 0
      var bytes: Int64 = 0
      /// The greatest timestamp of the new events.
      var newest = Int64.min
    }

    /// The changes of the types' numbers.
    var totals: [Int64: Total] = [:]
    /// The new types. A rollback invalidates their numbers.
    var created: [String] = []
    /// The greatest removed position.
    var removed: Int64 = 0
  }

  private var numbers: [String: (number: Int64, name: String)] = [:]
  private var next: Int64
  private(set) var pending = Pending()

  override init(_ session: SQLiteSession) {
    next = 0
    super.init(session)
  }

  func append(_ events: [NewEvent]) throws(StoreError) -> Range<Int64> {
    // Before the first change, because a write of the kind `WriteKind.single` has no savepoint that
    // could undo it.
    if events.contains(where: { $0.type.isEmpty }) {
      throw StoreError(.invalid, "An event needs a type that isn't empty.")
    }
    // Read only once. After that, the writer counts itself, because nothing else assigns positions.
    if next == 0 { next = try lastPosition().adding(1) }
    let first = next
    let insert = try session.statement(
      """
      INSERT INTO events (position, type, timestamp, source, body, overwrite_key)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    for event in events {
      let type = try number(of: event.type)
      // The old event is removed and a new one is appended. The position must be greater than all
      // former ones. Otherwise, a consumer that has read further would never see the new text.
      if let key = event.overwriteKey { try removeOverwritten(type, key) }
      try insert.insert(event, position: next, type: type)
      next = next.adding(1)
      add(1, Int64(event.body.count), at: event.timestamp, to: type)
    }
    return first..<next
  }

  override func page(_ selection: EventSelection, size: Int) throws(StoreError) -> EventPage {
    // A page leaves out types without events, so it needs the numbers of this transaction.
    try flush()
    return try super.page(selection, size: size)
  }

  /// Reads all types, because a rollback may remove those that this connection has added.
  override func types(spelledLike lowercased: Set<String>) throws(StoreError) -> [String] {
    var names: [String] = []
    try session.each("SELECT name FROM event_types ORDER BY id") { row throws(StoreError) in
      if lowercased.contains(row.text(0).lowercased()) { names.append(row.text(0)) }
    }
    return names
  }

  /// Returns the number of a type. A new type gets a new number.
  private func number(of type: String) throws(StoreError) -> Int64 {
    // Swift compares strings by canonical equivalence, but the database compares bytes.
    if let known = numbers[type], known.name.utf8.elementsEqual(type.utf8) { return known.number }
    let found = try session.first("SELECT id FROM event_types WHERE name = ?", .text(type)) {
      $0.integer(0)
    }
    if let found {
      numbers[type] = (found, type)
      return found
    }
    try session.run("INSERT INTO event_types (name) VALUES (?)", .text(type))
    let number = sqlite3_last_insert_rowid(session.handle)
    numbers[type] = (number, type)
    pending.created.append(type)
    return number
  }

  /// Removes the cached numbers of types, because some types may have been removed. They are read
  /// again.
  func forgetNumbers() { numbers = [:] }

  private func removeOverwritten(_ type: Int64, _ key: String) throws(StoreError) {
    let found = try session.first(
      "SELECT position, length(body) FROM events WHERE type = ? AND overwrite_key = ?",
      .integer(type), .text(key)
    ) { ($0.integer(0), $0.integer(1)) }
    if let (position, bytes) = found { try remove(position, bytes, of: type) }
  }

  func remove(_ position: Int64, _ bytes: Int64, of type: Int64) throws(StoreError) {
    try session.run("DELETE FROM events WHERE position = ?", .integer(position))
    // `lastPosition` needs it. If the newest event is removed, the position would be reused if only
    // the table were read.
    pending.removed = max(pending.removed, position)
    add(-1, bytes.multiplied(-1), to: type)
  }

  private func add(_ count: Int64, _ bytes: Int64, at timestamp: Int64 = .min, to type: Int64) {
    var total = pending.totals[type] ?? Pending.Total()
    total.count = total.count.adding(count)
    total.bytes = total.bytes.adding(bytes)
    total.newest = max(total.newest, timestamp)
    pending.totals[type] = total
  }

  // MARK: The transaction

  /// Writes the changes that are collected for each transaction. The group calls it before each
  /// commit.
  func flush() throws(StoreError) {
    for (type, total) in pending.totals {
      try session.run(
        """
        UPDATE event_types
        SET count = count + ?2, bytes = bytes + ?3, newest = max(newest, ?4) WHERE id = ?1
        """,
        .integer(type), .integer(total.count), .integer(total.bytes), .integer(total.newest))
    }
    pending.totals = [:]
    if pending.removed > 0 {
      try session.run(
        "UPDATE event_sequence SET removed = max(removed, ?)", .integer(pending.removed))
      pending.removed = 0
    }
  }

  func committed() { pending = Pending() }

  /// Removes the changes after `former`, because the database has rolled them back. `next` isn't
  /// changed: the positions of a failed write aren't reused.
  func rolledBack(to former: Pending = Pending()) {
    for type in pending.created.dropFirst(former.created.count) {
      if let known = numbers.removeValue(forKey: type) { names[known.number] = nil }
    }
    pending = former
  }
}

extension SQLiteStatement {
  /// Inserts an event without copying its source and its body. SQLite reads the bytes only during
  /// the step.
  fileprivate func insert(_ event: NewEvent, position: Int64, type: Int64) throws(StoreError) {
    sqlite3_bind_int64(handle, 1, position)
    sqlite3_bind_int64(handle, 2, type)
    sqlite3_bind_int64(handle, 3, event.timestamp)
    try bind(6, .optional(event.overwriteKey))
    var source = event.source
    let code = source.withUTF8 { source in
      event.body.withUnsafeBytes { body in
        bindText(4, source)
        bindBlob(5, body)
        return sqlite3_step(handle)
      }
    }
    sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw session.error(code) }
  }

  private func bindText(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no address. A text without an address is NULL, which the column
    // refuses.
    text.withMemoryRebound(to: CChar.self) {
      _ =
        if let bytes = $0.baseAddress {
          sqlite3_bind_text(handle, index, bytes, Int32(clamping: $0.count), nil)
        } else {
          sqlite3_bind_text(handle, index, "", 0, Self.copied)
        }
    }
  }

  private func bindBlob(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
    // The same for an empty body.
    _ =
      if let start = bytes.baseAddress {
        sqlite3_bind_blob64(handle, index, start, UInt64(clamping: bytes.count), nil)
      } else {
        sqlite3_bind_zeroblob(handle, index, 0)
      }
  }
}
