import AgentJSON

/// The values of an `enum`, in the order of the schema.
///
/// Rationale: a long list is looked up by hash, or a list of as many elements would take as many
/// comparisons for each.
struct ValueChoice: Sendable {
  let values: [JSONValue]
  private let set: Set<JSONValue>?

  /// Up to this many, comparing is faster than hashing.
  static let largestCompared = 16

  init(_ values: [JSONValue]) {
    self.values = values
    set = values.count > Self.largestCompared ? Set(values) : nil
  }

  func contains(_ node: JSONNode) -> Bool {
    if let set { return set.contains(node.value) }
    return values.contains { node.kind == $0.kind && node.value == $0 }
  }
}
