/// A query that is ready to run: names resolved, constants checked, expressions compiled.
///
/// Making a plan is the only step that can fail; the error says what isn't supported, and where.
/// One plan may be run many times, at the same time too.
public struct QueryPlan: Sendable {
  /// The query.
  public let query: Query
  /// Where days and months begin for it.
  public let calendar: QueryCalendar
  /// Which events go into the first pipe.
  public let filter: EventFilter
  /// Which members of an event the filter and the pipes look at.
  public let needs: FieldNeeds
  let stages: [StagePlan]
  /// Whether a step counts by the time of rows.
  let looksAtTime: Bool

  /// Plans a query.
  ///
  /// - Parameter calendar: where days, weeks, months and years begin, for windows and the span.
  public init(_ query: Query, calendar: QueryCalendar = .utc) throws(QueryError) {
    let compiler = PlanCompiler(query: query, calendar: calendar)
    self.query = query
    self.calendar = calendar
    filter = EventFilter(query.tree.filter)
    needs = FieldNeeds(query.tree)
    stages = try compiler.stages(query.tree.pipes)
    looksAtTime = stages.contains(where: \.looksAtTime)
  }

  /// The columns of the rows that come out; nil where they are those of the events.
  public var columns: [String]? { stages.columns }

  /// What people should know before it runs: of columns that can't be there, and of rows that come
  /// at the end only.
  public var notes: [String] { stages.flatMap(\.notes) }

  /// The columns by which the rows that come out are grouped.
  public var groups: [String] {
    stages.last { if case .only = $0.columns { true } else { false } }?.groups ?? []
  }

  /// What is done, step by step, for people.
  public var summary: [String] {
    let text = query.text.text(of: query.tree.filter.range)
    return ["filter: \(text.isEmpty ? "*" : text)"] + stages.map(\.summary)
  }
}
