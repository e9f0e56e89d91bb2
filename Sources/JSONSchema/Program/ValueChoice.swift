import AgentJSON

/// The values of an `enum`, in the order of the schema.
///
/// Rationale: a long list is looked up by hash. Otherwise, each element of a list of values would
/// take as many comparisons as there are values.
struct ValueChoice: Sendable {
  let values: [JSONValue]
  private let set: Set<JSONValue>?

  /// The largest number of values for which comparing is faster than hashing.
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
