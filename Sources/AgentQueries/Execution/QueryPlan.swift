/// A query that is ready to run: its names are resolved, its constants are checked, and its
/// expressions are compiled.
///
/// Only the making of a plan can fail. The error names the unsupported part and its place. One plan
/// can run many times, also at the same time.
public struct QueryPlan: Sendable {
  public let query: Query
  /// The calendar of its days and months.
  public let calendar: QueryCalendar
  /// The filter before the first pipe.
  public let filter: EventFilter
  /// The members of an event that the filter and the pipes read.
  public let needs: FieldNeeds
  let stages: [StagePlan]
  /// Whether a step uses the time of rows.
  let looksAtTime: Bool

  /// Plans a query.
  ///
  /// - Parameter calendar: the beginnings of days, weeks, months and years, for windows and the
  ///   span.
  public init(_ query: Query, calendar: QueryCalendar = .utc) throws(QueryError) {
    let compiler = PlanCompiler(query: query, calendar: calendar)
    self.query = query
    self.calendar = calendar
    filter = EventFilter(query.tree.filter)
    needs = FieldNeeds(query.tree)
    stages = try compiler.stages(query.tree.pipes)
    looksAtTime = stages.contains(where: \.looksAtTime)
  }

  /// The columns of the output. Nil means those of the events.
  public var columns: [String]? { stages.columns }

  /// The warnings for people before it runs: columns that can't exist, and rows that come only at
  /// the end.
  public var notes: [String] { stages.flatMap(\.notes) }

  /// The columns that the output is grouped by.
  public var groups: [String] {
    stages.last { if case .only = $0.columns { true } else { false } }?.groups ?? []
  }

  /// The steps as text for people.
  public var summary: [String] {
    let text = query.text.text(of: query.tree.filter.range)
    return ["filter: \(text.isEmpty ? "*" : text)"] + stages.map(\.summary)
  }
}
