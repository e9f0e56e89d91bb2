/// The names of all types that a connection has seen, by their lowercased form. SQLite lowercases
/// ASCII only, and a search for a type must not read all others.
struct TypeSpellings {
  /// The names that are kept, because publishers choose them. Beyond that, each call reads all.
  private static let maxNames = 10_000

  private var byForm: [String: [String]] = [:]
  private var count = 0
  /// The greatest number of a type that was read.
  private var last: Int64 = 0

  /// Reads the types that were added since the last call. A number is never reused, and a reading
  /// connection sees committed types only.
  mutating func read(_ session: SQLiteSession) throws(StoreError) {
    if count >= Self.maxNames { self = TypeSpellings() }
    try session.each(
      "SELECT id, name FROM event_types WHERE id > ? ORDER BY id", .integer(last)
    ) { row throws(StoreError) in
      let name = row.text(1)
      byForm[name.lowercased(), default: []].append(name)
      count += 1
      last = row.integer(0)
    }
  }

  /// Returns the names with a lowercased form.
  func names(_ form: String) -> [String] { byForm[form] ?? [] }
}
