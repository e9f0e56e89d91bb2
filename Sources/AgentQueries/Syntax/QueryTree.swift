/// A parsed query with expanded macros.
public struct QueryTree: Sendable, Hashable {
  public let filter: FilterTree
  /// The pipes in order. The list is empty for a query that is only a filter.
  public let pipes: [PipeTree]

  public init(filter: FilterTree, pipes: [PipeTree]) {
    self.filter = filter
    self.pipes = pipes
  }
}

/// One `=> …` of a query.
public struct PipeTree: Sendable, Hashable {
  /// The kind of the pipe.
  public indirect enum Kind: Sendable, Hashable {
    /// `named… [by …] [over window] [every period | at the end]`
    case select(SelectTree)
    /// `@filter condition`: passes rows for which it is true.
    case filter(ExpressionTree)
    /// `@sort key [asc | desc], …`: sorts each batch.
    case sort([SortKey])
    /// `@top count, key [asc | desc], … [by …]`: passes the first rows of each batch, or of each
    /// group of it.
    case top(count: Int, keys: [SortKey], by: [ColumnTree])
    /// `@yield [object]`: replaces the row by the object. Without an argument it takes the row's
    /// first value.
    case yield(ExpressionTree?)
    /// `@set named…`: adds these members to the row.
    case set([ColumnTree])
    /// `@latest`: passes the last batch when the input ends.
    case latest
    /// `@throttle count, period [by …]`: passes at most `count` rows in any such period.
    case throttle(count: Int, QueryPeriod, by: [ColumnTree])
    /// `@debounce period [by …]`: passes a row after no other has followed it for the period.
    case debounce(QueryPeriod, by: [ColumnTree])
    /// `[a union b]`, `[a join b]`: several chains over the same rows.
    case combine(CombineTree)
  }

  public let kind: Kind
  /// The place in the text, without the arrow.
  public let range: QueryRange

  public init(_ kind: Kind, at range: QueryRange) {
    self.kind = kind
    self.range = range
  }
}

/// Expressions over rows, with groups, a window and output times.
public struct SelectTree: Sendable, Hashable {
  /// The members of each output row, in this order.
  public let columns: [ColumnTree]
  /// The groups. Their values are before the columns.
  public let groups: [ColumnTree]
  /// The rows of an aggregation. Nil means that the text names no window.
  public let window: WindowTree?
  /// The output times. Nil means that the text names none.
  public let output: OutputTree?

  public init(
    columns: [ColumnTree], groups: [ColumnTree] = [], window: WindowTree? = nil,
    output: OutputTree? = nil
  ) {
    self.columns = columns
    self.groups = groups
    self.window = window
    self.output = output
  }
}

/// An expression and the name of its value.
public struct ColumnTree: Sendable, Hashable {
  public let expression: ExpressionTree
  /// The member's name: the one after `as`, or one made from the expression's text.
  public let name: String
  /// The place in the text.
  public let range: QueryRange

  public init(_ expression: ExpressionTree, name: String, at range: QueryRange) {
    self.expression = expression
    self.name = name
    self.range = range
  }
}

/// A key of a sort order.
public struct SortKey: Sendable, Hashable {
  /// The value to compare.
  public let expression: ExpressionTree
  /// Whether the greatest value comes first.
  public let isDescending: Bool

  public init(_ expression: ExpressionTree, isDescending: Bool) {
    self.expression = expression
    self.isDescending = isDescending
  }
}

/// Chains of pipes over the same rows.
public struct CombineTree: Sendable, Hashable {
  /// How the rows of the chains are combined.
  public enum Operator: Sendable, Hashable {
    /// The rows of all chains.
    case union
    /// Each row of one chain with each row of the other that has the same moment and the same
    /// values of these fields. Without fields, every row is combined with every row.
    case join(on: [ColumnTree])
  }

  public let combination: Operator
  /// The chains, at least two. Each has at least one pipe.
  public let branches: [[PipeTree]]

  public init(_ combination: Operator, _ branches: [[PipeTree]]) {
    self.combination = combination
    self.branches = branches
  }
}
