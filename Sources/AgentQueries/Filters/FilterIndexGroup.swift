internal import AgentJSON

/// The filters of a type: by a value that they ask for, and those that ask for none.
struct FilterIndexGroup: Sendable {
  private struct Table: Sendable {
    let field: FieldPath
    var slots: [Int: [Int]] = [:]
  }

  private var unkeyed: [Int] = []
  private var tables: [Table] = []
  /// Where each filter is: the field of its table and the hashes; nil for `unkeyed`.
  private var places: [Int: (field: FieldPath, hashes: [Int])?] = [:]

  var isEmpty: Bool { places.isEmpty }

  mutating func insert(_ slot: Int, _ equalities: [FilterRequirements.Equality]) {
    guard let best = mostSelective(of: equalities) else {
      unkeyed.append(slot)
      places[slot] = .some(nil)
      return
    }
    let field = FieldPath(best.field)
    let hashes = Array(Set(best.values.flatMap(FilterCandidates.hashes(ofWanted:))))
    let position = tables.firstIndex { $0.field == field } ?? tables.count
    if position == tables.count { tables.append(Table(field: field)) }
    for hash in hashes { tables[position].slots[hash, default: []].append(slot) }
    places[slot] = (field, hashes)
  }

  /// The one with the fewest values; of several such, one whose field has the most values here
  /// already, because a table more is a look-up more for each event.
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
    guard let place = places.removeValue(forKey: slot) else { return }
    guard let (field, hashes) = place else {
      unkeyed.removeAll { $0 == slot }
      return
    }
    guard let position = tables.firstIndex(where: { $0.field == field }) else { return }
    for hash in hashes {
      tables[position].slots[hash]?.removeAll { $0 == slot }
      if tables[position].slots[hash]?.isEmpty == true { tables[position].slots[hash] = nil }
    }
    if tables[position].slots.isEmpty { tables.remove(at: position) }
  }

  func candidates(for object: JSONObject, into candidates: inout FilterCandidates) {
    candidates.slots.append(contentsOf: unkeyed)
    for table in tables {
      guard let value = table.field.value(in: object) else { continue }
      if case .array = value { candidates.mayRepeat = true }
      FilterCandidates.forEachHash(of: value) { hash in
        if let slots = table.slots[hash] { candidates.slots.append(contentsOf: slots) }
      }
    }
  }
}

/// The filters that an event may pass.
struct FilterCandidates {
  var slots: [Int] = []
  /// Whether a filter may be there more than once, because a list had several of its values.
  var mayRepeat = false

  mutating func removeRepeated() {
    var seen: Set<Int> = []
    slots.removeAll { !seen.insert($0).inserted }
  }

  /// Calls `body` with the hash of what `field:value` compares: the value, or a list's elements.
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

  /// The hashes that values equal to a wanted text may have: as a text, and as a number.
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
