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
  /// The steps of an evaluation without those of long values.
  private let steps: Int

  /// Compiles `tree`, which is a part of `query`.
  public init(_ tree: ExpressionTree, in query: Query) throws(QueryError) {
    var compiler = ExpressionCompiler(text: query.text)
    let part = try compiler.part(tree)
    self.part = part
    constant = part.constant
    aggregations = compiler.aggregations
    steps = compiler.parts * WorkMeter.stepsOfValue
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
    steps = compiler.parts * WorkMeter.stepsOfValue
  }

  /// Returns the value for a row with a moment in Unix milliseconds. The results of
  /// ``aggregations`` are in their order. A missing one is null. A value that takes too much work
  /// is null.
  public func evaluate(
    _ row: JSONObject, timestamp: Int64, aggregates: [JSONValue] = []
  ) -> JSONValue {
    evaluate(row, timestamp: timestamp, aggregates: aggregates, WorkMeter())
  }

  /// Returns the value for a row. It is null if the meter has too few steps left.
  func evaluate(
    _ row: JSONObject, timestamp: Int64, aggregates: [JSONValue] = [], _ meter: WorkMeter
  ) -> JSONValue {
    guard meter.spend(steps) else { return .null }
    return part.value(
      EvaluationRow(object: row, timestamp: timestamp, aggregates: aggregates, meter: meter))
  }

  /// Returns whether the value is `true`. Null and all other values aren't.
  public func isTrue(
    _ row: JSONObject, timestamp: Int64, aggregates: [JSONValue] = []
  ) -> Bool {
    isTrue(row, timestamp: timestamp, aggregates: aggregates, WorkMeter())
  }

  /// Returns whether the value is `true`. It isn't if the meter has too few steps left.
  func isTrue(
    _ row: JSONObject, timestamp: Int64, aggregates: [JSONValue] = [], _ meter: WorkMeter
  ) -> Bool {
    guard meter.spend(steps) else { return false }
    let row = EvaluationRow(
      object: row, timestamp: timestamp, aggregates: aggregates, meter: meter)
    return part.condition(row) == true
  }
}
