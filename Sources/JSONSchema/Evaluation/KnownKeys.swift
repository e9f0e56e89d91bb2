import AgentJSON

/// The allowed keys of an object. They are collected once for all of its unknown keys.
struct KnownKeys {
  let all: [String]
  /// The allowed keys that the object doesn't have. Only these can be the intended ones.
  let free: [String]
  /// The number of further comparisons. It bounds the time for thousands of unknown keys beside
  /// thousands of known ones.
  private(set) var comparisons = 100_000

  init(_ all: [String], in object: JSONNode) {
    let present = PresentKeys(object, asked: all.count)
    self.all = all
    free = all.filter { !present.contains($0) }
  }

  /// Returns whether an unknown key may be compared with all of them.
  mutating func mayCompare() -> Bool {
    comparisons -= all.count
    return comparisons >= 0
  }
}

/// The keys of an object. Many keys are looked up by hash, because each search without it reads all
/// members.
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
