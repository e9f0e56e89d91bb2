internal import AgentJSON

/// The filters of one type: by a required value, by a range of numbers, and all others.
struct FilterIndexGroup: Sendable {
  private struct Table: Sendable {
    let field: FieldPath
    var slots: [Int: [Int]] = [:]
    var ranges = IntervalTree()
    /// Whether a text with a number may match one of the ranges.
    var seesText = false

    var isEmpty: Bool { slots.isEmpty && ranges.isEmpty }
  }

  /// The table that holds a filter.
  private enum Place: Sendable {
    case unkeyed
    case hashes(FieldPath, [Int])
    case range(FieldPath)
  }

  private var unkeyed: [Int] = []
  private var tables: [Table] = []
  private var places: [Int: Place] = [:]

  var isEmpty: Bool { places.isEmpty }

  // MARK: Changes

  mutating func insert(_ slot: Int, _ requirements: FilterRequirements) {
    if let best = mostSelective(of: requirements.equalities) {
      let field = FieldPath(best.field)
      // A filter must be in each slot only once, although two of its values may have the same hash.
      let hashes = Array(Set(best.values.flatMap(FilterCandidates.hashes(ofWanted:))))
      let position = table(of: field)
      for hash in hashes { tables[position].slots[hash, default: []].append(slot) }
      places[slot] = .hashes(field, hashes)
    } else if let range = requirements.ranges.min(by: { $0.upper - $0.lower < $1.upper - $1.lower })
    {
      let field = FieldPath(range.field)
      let position = table(of: field)
      tables[position].ranges.insert(slot, lower: range.lower, upper: range.upper)
      if range.isText { tables[position].seesText = true }
      places[slot] = .range(field)
    } else {
      unkeyed.append(slot)
      places[slot] = .unkeyed
    }
  }

  private mutating func table(of field: FieldPath) -> Int {
    if let position = tables.firstIndex(where: { $0.field == field }) { return position }
    tables.append(Table(field: field))
    return tables.count - 1
  }

  /// Returns the equality with the fewest values. Among several it returns one whose field has the
  /// most values in the tables, because each further table is one more look-up for each event.
  private func mostSelective(
    of equalities: [FilterRequirements.Equality]
  ) -> FilterRequirements.Equality? {
    equalities.min { left, right in
      if left.values.count != right.values.count { return left.values.count < right.values.count }
      return distinct(left.field) > distinct(right.field)
    }
  }

  private func distinct(_ field: String) -> Int {
    tables.first { $0.field.name == field }?.slots.count ?? 0
  }

  mutating func remove(_ slot: Int) {
    switch places.removeValue(forKey: slot) {
    case nil: return
    case .unkeyed: unkeyed.removeAll { $0 == slot }
    case .hashes(let field, let hashes):
      let position = table(of: field)
      for hash in hashes {
        tables[position].slots[hash]?.removeAll { $0 == slot }
        if tables[position].slots[hash]?.isEmpty == true { tables[position].slots[hash] = nil }
      }
    case .range(let field): tables[table(of: field)].ranges.remove(slot)
    }
    tables.removeAll { $0.isEmpty }
  }

  // MARK: Look-ups

  func candidates(for object: JSONObject, into candidates: inout FilterCandidates) {
    candidates.slots.append(contentsOf: unkeyed)
    for table in tables {
      guard let value = table.field.value(in: object) else { continue }
      if case .array = value { candidates.mayRepeat = true }
      if !table.slots.isEmpty {
        FilterCandidates.forEachHash(of: value) { hash in
          if let slots = table.slots[hash] { candidates.slots.append(contentsOf: slots) }
        }
      }
      if !table.ranges.isEmpty { Self.ranges(in: table, with: value, into: &candidates.slots) }
    }
  }

  private static func ranges(in table: Table, with value: JSONValue, into slots: inout [Int]) {
    switch value {
    case .number(let number): table.ranges.find(number.double, into: &slots)
    case .string(let text):
      guard table.seesText, let number = JSONNumber(parsing: text) else { return }
      table.ranges.find(number.double, into: &slots)
    case .array(let elements):
      for element in elements { ranges(in: table, with: element, into: &slots) }
    case .null, .bool, .object: return
    }
  }
}

/// The filters that may match an event.
struct FilterCandidates {
  var slots: [Int] = []
  /// Whether a filter may be included twice, because a list has several of its values.
  var mayRepeat = false

  mutating func removeRepeated() {
    var seen: Set<Int> = []
    slots.removeAll { !seen.insert($0).inserted }
  }

  /// Calls `body` with the hash of each value that `field:value` compares: the value itself, or the
  /// elements of a list.
  static func forEachHash(of value: JSONValue, _ body: (Int) -> Void) {
    switch value {
    case .string(let text): body(FoldedText.hash(text))
    case .number(let number): body(hash(number.double))
    case .bool(let flag): body(FoldedText.hash(flag ? "true" : "false"))
    case .null: body(FoldedText.hash("null"))
    case .array(let elements): for element in elements { forEachHash(of: element, body) }
    case .object: break
    }
  }

  /// Returns the hashes of values that may equal a text: as a text, and as a number.
  static func hashes(ofWanted text: String) -> [Int] {
    let own = FoldedText.hash(text)
    guard let number = JSONNumber(parsing: text) else { return [own] }
    return [own, hash(number.double)]
  }

  /// Equal numbers have the same nearest double.
  private static func hash(_ double: Double) -> Int {
    var hasher = Hasher()
    hasher.combine(double)
    return hasher.finalize()
  }
}
