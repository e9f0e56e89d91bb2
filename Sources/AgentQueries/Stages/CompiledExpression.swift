public import AgentJSON

/// An expression that is ready for many rows: its names are resolved and its constants are
/// computed.
///
/// The result is null if it can't be computed: for a missing field, arithmetic on a value that
/// isn't a number, a function on the wrong kind of value, or a division by zero.
public struct CompiledExpression: Sendable {
  /// The aggregations in the expression. The caller passes their results to ``evaluate`` in this
  /// order. Equal aggregations share a position.
  public let aggregations: [AggregationTree]
  /// The value if it is the same for every row. Nil means that it isn't.
  public let constant: JSONValue?
  private let part: CompiledPart

  /// Compiles `tree`, which is a part of `query`.
  public init(_ tree: ExpressionTree, in query: Query) throws(QueryError) {
    var compiler = ExpressionCompiler(text: query.text)
    let part = try compiler.part(tree)
    self.part = part
    constant = part.constant
    aggregations = compiler.aggregations
  }

  /// Parses and compiles an expression without a query.
  public init(parsing text: String, limits: QueryLimits = QueryLimits()) throws(QueryError) {
    var reader = try QueryReader(QueryText(text), limits: limits)
    let tree = try reader.loneExpression()
    var compiler = ExpressionCompiler(text: reader.text)
    let part = try compiler.part(tree)
    self.part = part
    constant = part.constant
    aggregations = compiler.aggregations
  }

  /// Returns the value for a row with a moment in Unix milliseconds. The results of
  /// ``aggregations`` are in their order. A missing one is null.
  public func evaluate(
    _ row: JSONObject, timestamp: Int64, aggregates: [JSONValue] = []
  ) -> JSONValue {
    part.value(EvaluationRow(object: row, timestamp: timestamp, aggregates: aggregates))
  }

  /// Returns whether the value is `true`. Null and all other values aren't.
  public func isTrue(
    _ row: JSONObject, timestamp: Int64, aggregates: [JSONValue] = []
  ) -> Bool {
    part.condition(EvaluationRow(object: row, timestamp: timestamp, aggregates: aggregates))
      == true
  }
}
