import AgentJSON

/// Which schemas are known to fit which values of a document, so that a schema that multiplies
/// itself is asked once about each.
///
/// Rationale: kept only when a check has taken longer than nearly all do, since looking an answer up
/// costs about as much as a step.
struct ResultCache {
  /// How many steps a check takes before answers are kept.
  static let stepsBefore = 50_000
  /// How many answers are kept; then all are forgotten. What multiplies asks the same soon.
  private static let most = 16_384

  private struct Question: Hashable {
    let schema: Int
    let place: Int
  }

  private var answers: [Question: Bool] = [:]

  /// Whether a schema fits the value; nil where that isn't known.
  subscript(schema: Int, node: JSONNode) -> Bool? {
    get { answers[Question(schema: schema, place: node.range.lowerBound)] }
    set {
      if answers.count == Self.most { answers.removeAll(keepingCapacity: true) }
      answers[Question(schema: schema, place: node.range.lowerBound)] = newValue
    }
  }
}
