import AgentJSON

/// The answers of schemas about values of a document, so that a schema that multiplies itself is
/// asked once about each value.
///
/// Rationale: kept only when a check has taken longer than nearly all do, because looking up an
/// answer costs about as much as a step.
struct ResultCache {
  /// How many steps a check takes before answers are kept.
  static let stepsBefore = 50_000
  /// The most answers; then all are forgotten. A schema that multiplies itself asks the same again
  /// soon.
  private static let most = 16_384

  private struct Question: Hashable {
    let schema: Int
    let place: Int
  }

  private var answers: [Question: Bool] = [:]

  /// Whether a schema fits the value; nil where that isn't known.
  subscript(schema: Int, node: JSONNode) -> Bool? {
    // No two values of a document begin at the same byte.
    get { answers[Question(schema: schema, place: node.range.lowerBound)] }
    set {
      if answers.count == Self.most { answers.removeAll(keepingCapacity: true) }
      answers[Question(schema: schema, place: node.range.lowerBound)] = newValue
    }
  }
}
