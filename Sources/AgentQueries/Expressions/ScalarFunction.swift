internal import AgentJSON

/// A function of values: the number of its arguments and its computation.
struct ScalarFunction: Sendable {
  enum Body: Sendable {
    /// A function of a row's moment. It is never folded to a constant.
    case moment(@Sendable (Int64) -> JSONValue)
    case one(@Sendable (JSONValue) -> JSONValue)
    case two(@Sendable (JSONValue, JSONValue) -> JSONValue)
    case many(@Sendable ([JSONValue]) -> JSONValue)
    /// A choice. It evaluates only the arguments that it needs.
    case choice(@Sendable ([CompiledPart]) -> CompiledPart)
  }

  let arguments: ClosedRange<Int>
  let body: Body
  /// The steps for each byte of the arguments. It is 0 for a function that reads none of them.
  var stepsOfByte = 1
  /// Whether the result may have more bytes than the arguments, and must be bounded.
  var grows = false

  init(_ arguments: ClosedRange<Int>, _ body: @escaping @Sendable ([JSONValue]) -> JSONValue) {
    self.arguments = arguments
    self.body = .many(body)
  }

  private init(_ arguments: ClosedRange<Int>, body: Body) {
    self.arguments = arguments
    self.body = body
  }

  static func moment(_ body: @escaping @Sendable (Int64) -> JSONValue) -> ScalarFunction {
    ScalarFunction(0...0, body: .moment(body))
  }

  static func one(_ body: @escaping @Sendable (JSONValue) -> JSONValue) -> ScalarFunction {
    ScalarFunction(1...1, body: .one(body))
  }

  static func two(
    _ body: @escaping @Sendable (JSONValue, JSONValue) -> JSONValue
  ) -> ScalarFunction {
    ScalarFunction(2...2, body: .two(body))
  }

  /// Returns the function with other steps for each byte.
  func costing(_ steps: Int) -> ScalarFunction {
    var function = self
    function.stepsOfByte = steps
    return function
  }

  /// Returns the function with a bound for its result.
  func bounded() -> ScalarFunction {
    var function = self
    function.grows = true
    return function
  }

  static func choice(
    _ arguments: ClosedRange<Int>, _ body: @escaping @Sendable ([CompiledPart]) -> CompiledPart
  ) -> ScalarFunction {
    ScalarFunction(arguments, body: .choice(body))
  }

  /// All functions by name. The names are those of the language's reference, if it has them.
  static let all: [String: ScalarFunction] = texts.merging(numbers) { first, _ in first }
    .merging(times) { first, _ in first }
    .merging(lists) { first, _ in first }
    .merging(conversions) { first, _ in first }
    .merging(choices) { first, _ in first }
}

extension ScalarFunction {
  /// Returns the computation with the bound of its result.
  func result<Input>(
    _ body: @escaping @Sendable (Input) -> JSONValue
  ) -> @Sendable (EvaluationRow, Input) -> JSONValue {
    if grows { return { row, input in body(input).bounded(row) } }
    return { _, input in body(input) }
  }
}

extension ExpressionCompiler {
  mutating func call(
    _ name: String, _ arguments: [ExpressionTree], at range: QueryRange
  ) throws(QueryError) -> CompiledPart {
    guard let function = ScalarFunction.all[name], function.arguments.contains(arguments.count)
    else {
      throw QueryError(.unknownName, "there is no function \(name).", at: range, in: text)
    }
    if let floored = try floored(name, arguments) { return floored }
    var parts = try parts(arguments)
    // The result is long although the arguments are short, so it isn't kept as a constant.
    if name == "replace" { parts = parts.map { CompiledPart(value: $0.value) } }
    switch function.body {
    case .moment(let body): return CompiledPart(value: { body($0.timestamp) })
    case .one(let body): return map(parts[0], times: function.stepsOfByte, function.result(body))
    case .two(let body):
      return map(parts[0], parts[1], times: function.stepsOfByte) { _, left, right in
        body(left, right)
      }
    case .many(let body):
      return gather(parts, times: function.stepsOfByte, function.result(body))
    case .choice(let body): return body(parts)
    }
  }

  /// Compiles `floor(moment, 1 month)`, whose period isn't a fixed number of milliseconds. Weeks
  /// are fixed, but counted from 1970 they would start on Thursdays.
  private mutating func floored(
    _ name: String, _ arguments: [ExpressionTree]
  ) throws(QueryError) -> CompiledPart? {
    guard name == "floor", arguments.count == 2, case .period(let period) = arguments[1].kind,
      period.milliseconds == nil || period.unit == .week
    else { return nil }
    return map(try part(arguments[0])) { ScalarFunction.floor($1, period) }
  }
}
