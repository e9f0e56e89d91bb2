internal import AgentSystem
internal import GRDBSQLite

/// Writes the key-value store on the writer's connection, on the writer's thread.
final class SQLiteStateWriter: SQLiteStateReader, StateStorage {
  /// The row of an owner, with the changes of this call.
  private struct Owner {
    let name: String
    let id: Int64
    var version: Int64
    var count: Int64
    var bytes: Int64
    var historyBytes: Int64
  }

  /// The stored value of a key.
  private struct Present {
    let version: Int64
    let bytes: Int64
  }

  func change(_ changes: [StateChange], of owner: String, now: Int64) throws(StoreError) -> Int64 {
    // Everything is checked before the first change, because a body of `WriteKind.single` has no
    // savepoint.
    try check(changes, of: owner)
    var row = try self.row(of: owner)
    let present = try present(changes, in: row)
    try check(growth: changes, over: present, of: row)
    // A check and the removal of a missing key change nothing, so they need no version.
    let effective = zip(changes, present).filter { change, present in
      !change.isCheck && (change.value != nil || present != nil)
    }
    guard !effective.isEmpty else { return row.version }
    row.version = row.version.adding(1)
    for (change, present) in effective { try apply(change, over: present, to: &row, now) }
    try dropOldHistory(&row)
    try session.run(
      "UPDATE state_owners SET version = ?2, count = ?3, bytes = ?4, history_bytes = ?5 WHERE id = ?1",
      .integer(row.id), .integer(row.version), .integer(row.count), .integer(row.bytes),
      .integer(row.historyBytes))
    return row.version
  }

  func forget(owner: String) throws(StoreError) {
    try session.run("DELETE FROM state_owners WHERE name = ?", .text(owner))
  }

  // MARK: Checks

  private func check(_ changes: [StateChange], of owner: String) throws(StoreError) {
    guard !owner.isEmpty else { throw StoreError(.invalid, "State needs an owner with a name.") }
    // Compared by bytes, as in the database. "é" as one scalar and as two scalars are different
    // keys.
    var keys: Set<[UInt8]> = []
    for change in changes {
      let bytes = change.key.utf8.count
      guard bytes > 0, bytes <= limits.keyBytes else {
        throw StoreError(
          .invalid,
          "A key of \(owner)'s state has \(bytes) bytes; it needs 1 to \(limits.keyBytes).")
      }
      guard keys.insert(Array(change.key.utf8)).inserted else {
        throw StoreError(
          .invalid, "The key \"\(change.key)\" of \(owner)'s state is changed twice at once.")
      }
      if let value = change.value, value.count > limits.valueBytes {
        throw StoreError(
          .invalid,
          "The value of \"\(change.key)\" of \(owner)'s state has \(value.count) bytes; "
            + "\(limits.valueBytes) is the most. Split it, or keep it in a file.")
      }
    }
  }

  /// Returns the stored versions of the keys. Throws `conflict` for an unexpected version.
  private func present(_ changes: [StateChange], in owner: Owner) throws(StoreError) -> [Present?] {
    var found: [Present?] = []
    for change in changes {
      let present = try session.first(
        "SELECT version, length(value) FROM state WHERE owner = ? AND key = ?",
        .integer(owner.id), .text(change.key)
      ) { Present(version: $0.integer(0), bytes: $0.integer(1)) }
      if let expected = change.expected, expected != present?.version ?? 0 {
        let place = "\"\(change.key)\" of \(owner.name)'s state"
        throw StoreError(
          .conflict,
          present.map { "\(place) has version \($0.version), not \(expected). Read it again." }
            ?? "\(place) isn't there; version \(expected) was expected. Read it again.")
      }
      found.append(present)
    }
    return found
  }

  /// Refuses changes after which the owner would exceed its limits.
  private func check(
    growth changes: [StateChange], over present: [Present?], of owner: Owner
  ) throws(StoreError) {
    var (bytes, count) = (owner.bytes, owner.count)
    for (change, present) in zip(changes, present) where !change.isCheck {
      let key = Int64(change.key.utf8.count)
      if let value = change.value {
        (bytes, count) = (bytes.adding(key).adding(Int64(value.count)), count.adding(1))
      }
      if let present {
        (bytes, count) = (bytes.subtracting(key).subtracting(present.bytes), count.subtracting(1))
      }
    }
    // An owner above its limit, for example after the limit was lowered, may still reduce its
    // state.
    guard bytes <= owner.bytes || bytes <= limits.ownerBytes else {
      throw StoreError(
        .invalid,
        "\(owner.name)'s state would have \(bytes) bytes; \(limits.ownerBytes) is the most. "
          + "Remove keys that nobody needs.")
    }
    guard count <= owner.count || count <= limits.ownerKeys else {
      throw StoreError(
        .invalid,
        "\(owner.name)'s state would have \(count) keys; \(limits.ownerKeys) is the most. "
          + "Remove keys that nobody needs, or keep several things under one key.")
    }
  }

  // MARK: Changes

  /// Returns the row of an owner, which is created if it doesn't exist.
  private func row(of name: String) throws(StoreError) -> Owner {
    try session.run(
      "INSERT INTO state_owners (name) VALUES (?) ON CONFLICT (name) DO NOTHING", .text(name))
    let found = try session.first(
      "SELECT id, version, count, bytes, history_bytes FROM state_owners WHERE name = ?",
      .text(name)
    ) {
      Owner(
        name: name, id: $0.integer(0), version: $0.integer(1), count: $0.integer(2),
        bytes: $0.integer(3), historyBytes: $0.integer(4))
    }
    guard let found else { throw StoreError(.missing, "\(name) has no state.") }
    return found
  }

  private func apply(
    _ change: StateChange, over present: Present?, to owner: inout Owner, _ now: Int64
  ) throws(StoreError) {
    let (id, key) = (SQLiteValue.integer(owner.id), SQLiteValue.text(change.key))
    let size = Int64(change.key.utf8.count)
    // The former value is moved to the history.
    if let present {
      try session.run(
        """
        INSERT INTO state_history (owner, key, version, value, updated)
        SELECT owner, key, version, value, updated FROM state WHERE owner = ? AND key = ?
        """, id, key)
      owner.historyBytes = owner.historyBytes.adding(size).adding(present.bytes)
      owner.bytes = owner.bytes.subtracting(size).subtracting(present.bytes)
      owner.count = owner.count.subtracting(1)
    }
    if let value = change.value {
      try session.run(
        """
        INSERT INTO state (owner, key, value, version, updated) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (owner, key) DO UPDATE
        SET value = excluded.value, version = excluded.version, updated = excluded.updated
        """, id, key, .blob(value), .integer(owner.version), .integer(now))
      owner.bytes = owner.bytes.adding(size).adding(Int64(value.count))
      owner.count = owner.count.adding(1)
    } else {
      // The removal is stored in the history without a value, because it has a version.
      try session.run("DELETE FROM state WHERE owner = ? AND key = ?", id, key)
      try session.run(
        "INSERT INTO state_history (owner, key, version, updated) VALUES (?, ?, ?, ?)", id, key,
        .integer(owner.version), .integer(now))
      owner.historyBytes = owner.historyBytes.adding(size)
    }
    try dropVersions(of: change.key, &owner)
  }

  // MARK: History

  /// Removes the oldest versions of a key above their largest number.
  private func dropVersions(of key: String, _ owner: inout Owner) throws(StoreError) {
    // LIMIT -1 means no limit. SQLite has no OFFSET without LIMIT.
    var rows: [(Int64, Int64)] = []
    try session.each(
      """
      SELECT rowid, length(CAST(key AS BLOB)) + ifnull(length(value), 0) FROM state_history
      WHERE owner = ? AND key = ? ORDER BY version DESC LIMIT -1 OFFSET ?
      """, .integer(owner.id), .text(key), .integer(Int64(max(0, limits.history)))
    ) { row throws(StoreError) in rows.append((row.integer(0), row.integer(1))) }
    for row in rows { try dropHistory(row, &owner) }
  }

  /// Removes the oldest versions of an owner until their total size is within its limit.
  private func dropOldHistory(_ owner: inout Owner) throws(StoreError) {
    // One row at a time, because the sizes of the rows differ.
    while owner.historyBytes > max(0, limits.historyBytes) {
      let oldest = try session.first(
        """
        SELECT rowid, length(CAST(key AS BLOB)) + ifnull(length(value), 0) FROM state_history
        WHERE owner = ? ORDER BY version LIMIT 1
        """, .integer(owner.id)
      ) { ($0.integer(0), $0.integer(1)) }
      guard let oldest else { return }
      try dropHistory(oldest, &owner)
    }
  }

  private func dropHistory(_ row: (id: Int64, bytes: Int64), _ owner: inout Owner)
    throws(StoreError)
  {
    try session.run("DELETE FROM state_history WHERE rowid = ?", .integer(row.id))
    owner.historyBytes = owner.historyBytes.subtracting(row.bytes)
  }
}
