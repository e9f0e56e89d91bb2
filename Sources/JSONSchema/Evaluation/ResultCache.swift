import AgentJSON

/// The results of schemas for the values of a document. A schema that multiplies itself is then
/// evaluated once for each value.
///
/// Rationale: results are stored only after a check has taken longer than nearly all do, because a
/// look-up costs about as much as a step.
struct ResultCache {
  /// The number of steps before results are stored.
  static let stepsBefore = 50_000
  /// The largest number of results. When it is reached, all are removed. A schema that multiplies
  /// itself soon repeats the same ones.
  private static let most = 16_384

  private struct Question: Hashable {
    let schema: Int
    let place: Int
  }

  private var answers: [Question: Bool] = [:]

  /// The result of a schema for a value, or `nil` if it is unknown.
  subscript(schema: Int, node: JSONNode) -> Bool? {
    // No two values of a document begin at the same byte.
    get { answers[Question(schema: schema, place: node.range.lowerBound)] }
    set {
      if answers.count == Self.most { answers.removeAll(keepingCapacity: true) }
      answers[Question(schema: schema, place: node.range.lowerBound)] = newValue
    }
  }
}
