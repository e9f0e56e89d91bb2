public import AgentJSON

/// An expression ready to be computed for many rows: names resolved, constants computed.
///
/// Null comes of what can't be computed: a field that isn't there, arithmetic on what isn't a
/// number, a function on a kind of value that it doesn't take, division by zero.
public struct CompiledExpression: Sendable {
  /// The aggregations in the expression; their results are handed to ``evaluate`` in this order.
  /// Equal aggregations share a place.
  public let aggregations: [AggregationTree]
  /// The value, if it is the same for every row.
  public let constant: JSONValue?
  private let part: CompiledPart

  /// Compiles `tree`, which is part of `query`.
  public init(_ tree: ExpressionTree, in query: Query) throws(QueryError) {
    var compiler = ExpressionCompiler(text: query.text)
    let part = try compiler.part(tree)
    self.part = part
    constant = part.constant
    aggregations = compiler.aggregations
  }

  /// Reads and compiles an expression that stands alone.
  public init(parsing text: String, limits: QueryLimits = QueryLimits()) throws(QueryError) {
    var reader = try QueryReader(QueryText(text), limits: limits)
    let tree = try reader.loneExpression()
    var compiler = ExpressionCompiler(text: reader.text)
    let part = try compiler.part(tree)
    self.part = part
    constant = part.constant
    aggregations = compiler.aggregations
  }

  /// The value for a row of a moment in Unix milliseconds, with one value for each of
  /// ``aggregations``; one that isn't given is null.
  public func evaluate(
    _ row: JSONObject, timestamp: Int64, aggregates: [JSONValue] = []
  ) -> JSONValue {
    part.value(EvaluationRow(object: row, timestamp: timestamp, aggregates: aggregates))
  }

  /// Whether the value is `true`; neither null nor any other value is.
  public func isTrue(
    _ row: JSONObject, timestamp: Int64, aggregates: [JSONValue] = []
  ) -> Bool {
    part.condition(EvaluationRow(object: row, timestamp: timestamp, aggregates: aggregates))
      == true
  }
}
