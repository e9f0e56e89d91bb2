internal import AgentJSON
internal import AgentStore

/// Makes the answers of `state/1` as JSON, for workers and, through the API, for people. Stored
/// values are JSON text already, so they are inserted unchanged.
enum StateAnswers {
  /// The limit of the values in one answer, in bytes. A list that reaches it is truncated. A `get`
  /// that exceeds it is refused.
  static let maxBytes = 16 << 20

  /// Reads the state and returns the answer to a request. For `write`, it returns the owner's
  /// current version and changes nothing.
  /// - Throws: the error of the store; `invalid` if the values of a `get` exceed ``maxBytes``.
  static func answer(
    _ request: StateRequest, of owner: String, in state: any StateReader
  ) throws(StoreError) -> [UInt8] {
    switch request {
    case .get(let keys): try values(keys, of: owner, in: state)
    case .list(let listing): try list(listing, of: owner, in: state)
    case .history(let key): try history(of: key, owner: owner, in: state)
    case .limits: try limits(of: owner, in: state)
    case .write: written(try state.owner(owner)?.version ?? 0)
    }
  }

  /// Returns the answer to `write`.
  static func written(_ version: Int64) -> [UInt8] { Array("{\"version\":\(version)}".utf8) }

  private static func values(
    _ keys: [String], of owner: String, in state: any StateReader
  ) throws(StoreError) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("entries")
    writer.beginArray()
    // Keys are compared by bytes, because two Unicode forms of é are two keys in the store. As
    // `String` they would be one key.
    var asked: Set<[UInt8]> = []
    for key in keys where asked.insert(Array(key.utf8)).inserted {
      guard let row = try state.value(key, of: owner) else { continue }
      entry(row, to: &writer)
      guard writer.bytes.count <= maxBytes else {
        throw StoreError(
          .invalid,
          "These \(keys.count) values have more than \(maxBytes) bytes together, which is the "
            + "most in one answer. Ask for fewer keys at a time.")
      }
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private static func list(
    _ listing: StateListing, of owner: String, in state: any StateReader
  ) throws(StoreError) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("entries")
    writer.beginArray()
    // One more row than the page holds is read. If it exists, the list is truncated.
    let limit = listing.limit + 1
    var shown = 0
    let found: Int
    if listing.hasValues {
      let rows = try state.values(
        of: owner, prefix: listing.prefix, after: listing.after, limit: limit)
      found = rows.count
      // The first entry is included whatever its size. After a page without an entry, the caller
      // would request the same page forever.
      for row in rows.prefix(listing.limit) where shown == 0 || writer.bytes.count < maxBytes {
        entry(row, to: &writer)
        shown += 1
      }
    } else {
      let keys = try state.keys(
        of: owner, prefix: listing.prefix, after: listing.after, limit: limit)
      found = keys.count
      for key in keys.prefix(listing.limit) { entry(key, to: &writer) }
      shown = min(found, listing.limit)
    }
    writer.endArray()
    writer.key("truncated")
    writer.bool(found > shown)
    writer.endObject()
    return writer.bytes
  }

  private static func history(
    of key: String, owner: String, in state: any StateReader
  ) throws(StoreError) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("versions")
    writer.beginArray()
    if let row = try state.value(key, of: owner) {
      version(row.version, value: row.value, updated: row.updated, to: &writer)
    }
    for former in try state.history(of: key, owner: owner) {
      version(former.version, value: former.value, updated: former.updated, to: &writer)
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private static func limits(
    of owner: String, in state: any StateReader
  ) throws(StoreError) -> [UInt8] {
    let used = try state.owner(owner)
    let limits = state.limits
    let json: JSONValue = [
      "key_bytes": JSONValue(limits.keyBytes), "value_bytes": JSONValue(limits.valueBytes),
      "owner_keys": JSONValue(limits.ownerKeys), "owner_bytes": JSONValue(limits.ownerBytes),
      "history": JSONValue(limits.history), "history_bytes": JSONValue(limits.historyBytes),
      "used": ["keys": JSONValue(used?.count ?? 0), "bytes": JSONValue(used?.bytes ?? 0)],
    ]
    return json.bytes()
  }

  // MARK: Entries

  /// Writes an entry with its value.
  static func entry(_ row: StateRow, to writer: inout JSONWriter) {
    writer.beginObject()
    members(of: row, to: &writer)
    writer.endObject()
  }

  static func members(of row: StateRow, to writer: inout JSONWriter) {
    writer.key("key")
    writer.string(row.key)
    writer.key("value")
    writer.raw(row.value)
    writer.key("version")
    writer.number(row.version)
    writer.key("updated")
    writer.number(row.updated)
  }

  private static func version(
    _ version: Int64, value: [UInt8]?, updated: Int64, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("version")
    writer.number(version)
    writer.key("updated")
    writer.number(updated)
    writer.key(value == nil ? "removed" : "value")
    writer.raw(value ?? Array("true".utf8))
    writer.endObject()
  }

  private static func entry(_ key: StateKey, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("key")
    writer.string(key.key)
    writer.key("bytes")
    writer.number(key.bytes)
    writer.key("version")
    writer.number(key.version)
    writer.key("updated")
    writer.number(key.updated)
    writer.endObject()
  }
}
