public import AgentJSON

/// A parsed expression. Its names are resolved when it is compiled.
public struct ExpressionTree: Sendable, Hashable {
  /// The kind of the node.
  public indirect enum Kind: Sendable, Hashable {
    /// `42`, `"text"`, `true`, `null`.
    case literal(JSONValue)
    /// `5 minutes`.
    case period(QueryPeriod)
    /// A field of the row. Dots lead into nested objects if no member has the dotted name.
    case field(String)
    /// `*`: the row itself, an object.
    case row
    /// `_`: the first value of the row, except `timestamp`.
    case first
    /// `base->name`.
    case member(ExpressionTree, String)
    /// `base[index]`: an element of a list or a member of an object.
    case element(ExpressionTree, ExpressionTree)
    /// `-x` and `!x`.
    case unary(UnaryOperator, ExpressionTree)
    /// `x + y` and the like.
    case binary(BinaryOperator, left: ExpressionTree, right: ExpressionTree)
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

  public let kind: Kind
  /// The place in the text.
  public let range: QueryRange
  /// Whether the expression contains an aggregation.
  public let hasAggregation: Bool
  /// The depth of the tree. It limits every recursion over it.
  let height: Int
  /// The number of nodes. A macro's nodes count for each use. It limits the work.
  let size: Int

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
  /// The direct subexpressions.
  public var children: [ExpressionTree] {
    switch self {
    case .literal, .period, .field, .row, .first, .filter: []
    case .member(let base, _), .unary(_, let base): [base]
    case .element(let left, let right), .binary(_, left: let left, right: let right): [left, right]
    case .call(_, let arguments), .list(let arguments): arguments
    case .aggregation(let aggregation):
      aggregation.arguments + (aggregation.condition.map { [$0] } ?? [])
    case .record(let columns): columns.map(\.expression)
    }
  }
}

/// An aggregation in an expression. It is a value over many rows.
public struct AggregationTree: Sendable, Hashable {
  public let name: AggregationName
  /// The arguments. They are computed for each row.
  public let arguments: [ExpressionTree]
  /// The condition for rows: all its `:if(…)` together. Nil means every row.
  public let condition: ExpressionTree?

  public init(name: AggregationName, arguments: [ExpressionTree], condition: ExpressionTree? = nil)
  {
    self.name = name
    self.arguments = arguments
    self.condition = condition
  }
}

/// An operator with one operand.
public enum UnaryOperator: String, Sendable, Hashable {
  /// The negative number.
  case minus = "-"
  /// Whether the value isn't true.
  case not = "!"
}

/// An operator between two operands.
public enum BinaryOperator: String, Sendable, Hashable, CaseIterable {
  /// The sum of numbers, or the concatenation of texts.
  case plus = "+"
  /// The difference.
  case minus = "-"
  /// The product.
  case times = "*"
  /// The quotient. It is never rounded to an integer.
  case divide = "/"
  /// The remainder with the sign of the dividend.
  case remainder = "%"
  /// Whether both are the same value.
  case equal = "=="
  /// Whether both are different values.
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
  /// The left value, or the right one if the left is null.
  case otherwise = "??"
}
