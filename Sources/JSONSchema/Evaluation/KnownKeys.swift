import AgentJSON

/// The keys that an object may have, gathered once for all of its keys that it may not have.
struct KnownKeys {
  let all: [String]
  /// The keys that the object doesn't have yet. Only they can have been meant.
  let free: [String]
  /// How many more names may be compared, so that thousands of unknown keys beside thousands of
  /// known ones don't take minutes. By then a person has read enough.
  private(set) var comparisons = 100_000

  init(_ all: [String], in object: JSONNode) {
    let present = PresentKeys(object, asked: all.count)
    self.all = all
    free = all.filter { !present.contains($0) }
  }

  /// Whether an unknown key may still be compared with all of them.
  mutating func mayCompare() -> Bool {
    comparisons -= all.count
    return comparisons >= 0
  }
}

/// The keys that an object has. They are looked up by hash where many are asked for, because each
/// look without it goes through the members.
struct PresentKeys {
  private let object: JSONNode
  private let keys: Set<ExactText>?

  init(_ object: JSONNode, asked: Int) {
    self.object = object
    let areMany = asked > 16 && object.kind == .object && object.count > 16
    keys = areMany ? Set(object.members.map { ExactText($0.key) }) : nil
  }

  func contains(_ key: String) -> Bool {
    if let keys { return keys.contains(ExactText(key)) }
    return object[key] != nil
  }
}
