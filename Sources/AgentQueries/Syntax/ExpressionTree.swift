public import AgentJSON

/// An expression, as it was written: names are resolved when it is compiled.
public struct ExpressionTree: Sendable, Hashable {
  /// What stands there.
  public indirect enum Kind: Sendable, Hashable {
    /// `42`, `"text"`, `true`, `null`.
    case literal(JSONValue)
    /// `5 minutes`.
    case period(QueryPeriod)
    /// A field of the row; dots lead into nested objects where no member has the dotted name.
    case field(String)
    /// `*`: the row itself, an object.
    case row
    /// `_`: the first value of the row, apart from `timestamp`.
    case first
    /// `base->name`.
    case member(ExpressionTree, String)
    /// `base[index]`: an element of a list or a member of an object.
    case element(ExpressionTree, ExpressionTree)
    /// `-x` and `!x`.
    case unary(UnaryOperator, ExpressionTree)
    /// `x + y` and the like.
    case binary(BinaryOperator, ExpressionTree, ExpressionTree)
    /// `name(arguments)`; `x:name(y)` is `name(x, y)`. Never an aggregation.
    case call(String, [ExpressionTree])
    /// `count()`, `sum(x):if(condition)`.
    case aggregation(AggregationTree)
    /// `\field:value`: whether the row passes a filter.
    case filter(FilterTree)
    /// `(1, 2, 3)`.
    case list([ExpressionTree])
    /// `(1 as a, 2 as b)`.
    case record([ColumnTree])
  }

  /// What stands there.
  public let kind: Kind
  /// Where it stands.
  public let range: QueryRange
  /// Whether an aggregation is in it.
  public let hasAggregation: Bool
  /// How many nodes lie one below the other; bounds every recursion over the tree.
  let height: Int
  /// How many nodes there are, those that a macro repeats counted each time; bounds the work.
  let size: Int

  /// A node at `range`.
  public init(_ kind: Kind, at range: QueryRange) {
    self.kind = kind
    self.range = range
    let inner = kind.children
    height = 1 + (inner.map(\.height).max() ?? 0)
    size = 1 + inner.reduce(0) { $0 + $1.size }
    if case .aggregation = kind {
      hasAggregation = true
    } else {
      hasAggregation = inner.contains { $0.hasAggregation }
    }
  }
}

extension ExpressionTree.Kind {
  /// The expressions directly in this one.
  public var children: [ExpressionTree] {
    switch self {
    case .literal, .period, .field, .row, .first, .filter: []
    case .member(let base, _), .unary(_, let base): [base]
    case .element(let left, let right), .binary(_, let left, let right): [left, right]
    case .call(_, let arguments), .list(let arguments): arguments
    case .aggregation(let aggregation):
      aggregation.arguments + (aggregation.condition.map { [$0] } ?? [])
    case .record(let columns): columns.map(\.expression)
    }
  }
}

/// An aggregation in an expression: a value over many rows.
public struct AggregationTree: Sendable, Hashable {
  /// The aggregation's name, one of ``AggregationName``.
  public let name: AggregationName
  /// Its arguments; they are computed for each row.
  public let arguments: [ExpressionTree]
  /// Which rows count: what all its `:if(…)` say, or nil for every row.
  public let condition: ExpressionTree?

  /// An aggregation of `arguments`.
  public init(name: AggregationName, arguments: [ExpressionTree], condition: ExpressionTree? = nil)
  {
    self.name = name
    self.arguments = arguments
    self.condition = condition
  }
}

/// An operator with one operand.
public enum UnaryOperator: String, Sendable, Hashable {
  /// The number with the other sign.
  case minus = "-"
  /// Whether it isn't true.
  case not = "!"
}

/// An operator between two operands.
public enum BinaryOperator: String, Sendable, Hashable, CaseIterable {
  /// Sum of numbers, or texts one behind the other.
  case plus = "+"
  /// Difference.
  case minus = "-"
  /// Product.
  case times = "*"
  /// Quotient; never cut to an integer.
  case divide = "/"
  /// Remainder with the dividend's sign.
  case remainder = "%"
  /// Whether both are the same value.
  case equal = "=="
  /// Whether they are different values.
  case notEqual = "!="
  /// Whether the left one is smaller.
  case less = "<"
  /// Whether the left one isn't greater.
  case lessOrEqual = "<="
  /// Whether the left one is greater.
  case greater = ">"
  /// Whether the left one isn't smaller.
  case greaterOrEqual = ">="
  /// Whether both are true.
  case and = "&&"
  /// Whether one of them is true.
  case or = "||"
  /// The left one, or the right one where the left one is null.
  case otherwise = "??"
}
