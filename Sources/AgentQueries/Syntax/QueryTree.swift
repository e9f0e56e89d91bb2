/// A whole query, as it was written, macros expanded.
public struct QueryTree: Sendable, Hashable {
  /// Which events go in.
  public let filter: FilterTree
  /// What is done to them, one after another; none for a query that is a filter alone.
  public let pipes: [PipeTree]

  /// The pipes behind a filter.
  public init(filter: FilterTree, pipes: [PipeTree]) {
    self.filter = filter
    self.pipes = pipes
  }
}

/// One `=> …` of a query.
public struct PipeTree: Sendable, Hashable {
  /// What the pipe does.
  public indirect enum Kind: Sendable, Hashable {
    /// `named… [by …] [over window] [every period | at the end]`
    case select(SelectTree)
    /// `@filter condition`: rows for which it is true go on.
    case filter(ExpressionTree)
    /// `@sort key [asc | desc], …`: each batch in order.
    case sort([SortKey])
    /// `@top count, key [asc | desc], … [by …]`: of each batch, or group of it, the first rows.
    case top(count: Int, keys: [SortKey], by: [ColumnTree])
    /// `@yield [object]`: the object becomes the row; without an argument the row's first value.
    case yield(ExpressionTree?)
    /// `@set named…`: the row with these members put in.
    case set([ColumnTree])
    /// `@latest`: the last batch, when the input ends.
    case latest
    /// `@throttle count, period [by …]`: at most `count` rows in any such period.
    case throttle(count: Int, QueryPeriod, by: [ColumnTree])
    /// `@debounce period [by …]`: a row once none has followed it for the period.
    case debounce(QueryPeriod, by: [ColumnTree])
    /// `[a union b]`, `[a join b]`: several chains over the same rows.
    case combine(CombineTree)
  }

  /// What the pipe does.
  public let kind: Kind
  /// Where it stands, without the arrow.
  public let range: QueryRange

  /// A pipe at `range`.
  public init(_ kind: Kind, at range: QueryRange) {
    self.kind = kind
    self.range = range
  }
}

/// Expressions over rows, grouped, over a window, put out at times.
public struct SelectTree: Sendable, Hashable {
  /// What each row that goes out has, in this order.
  public let columns: [ColumnTree]
  /// By what rows are grouped; the groups' values stand in front of the columns.
  public let groups: [ColumnTree]
  /// Which rows an aggregation sees; nil where none is written.
  public let window: WindowTree?
  /// When rows go out; nil where none is written.
  public let output: OutputTree?

  /// A pipe of `columns`.
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

/// An expression and the name that its value gets.
public struct ColumnTree: Sendable, Hashable {
  /// What is computed.
  public let expression: ExpressionTree
  /// The member's name: as written behind `as`, or made of the expression's text.
  public let name: String
  /// Where the column stands.
  public let range: QueryRange

  /// `expression` under `name`.
  public init(_ expression: ExpressionTree, name: String, at range: QueryRange) {
    self.expression = expression
    self.name = name
    self.range = range
  }
}

/// By what rows are sorted.
public struct SortKey: Sendable, Hashable {
  /// The value to compare.
  public let expression: ExpressionTree
  /// Whether the greatest comes first.
  public let isDescending: Bool

  /// Sorts by `expression`.
  public init(_ expression: ExpressionTree, isDescending: Bool) {
    self.expression = expression
    self.isDescending = isDescending
  }
}

/// Chains of pipes over the same rows, put together.
public struct CombineTree: Sendable, Hashable {
  /// How the chains' rows come together.
  public enum Operator: Sendable, Hashable {
    /// The rows of all chains.
    case union
    /// Each row of one with each row of the other of the same moment that has the same values of
    /// these fields; with none, with every row.
    case join(on: [ColumnTree])
  }

  /// How they come together.
  public let combination: Operator
  /// The chains, two or more; each has at least one pipe.
  public let branches: [[PipeTree]]

  /// `branches` put together.
  public init(_ combination: Operator, _ branches: [[PipeTree]]) {
    self.combination = combination
    self.branches = branches
  }
}
