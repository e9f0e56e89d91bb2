/// A step of a query, ready to be made as often as the query is run.
struct StagePlan: Sendable {
  /// What the step does, for people.
  let summary: String
  /// The columns of the rows that it makes; nil where they are those of the rows that come.
  var columns: [String]?
  /// The columns by which its rows are grouped.
  var groups: [String] = []
  /// What people should know before it runs.
  var notes: [String] = []
  /// Makes the step in front of the one given.
  let make: @Sendable (Stage?, StageContext) -> Stage
}

extension [StagePlan] {
  /// Makes all steps, the last in front of `end`; gives the first.
  func make(in context: StageContext, before end: Stage) -> Stage {
    reversed().reduce(end) { next, plan in plan.make(next, context) }
  }

  /// The columns of the rows that come out; nil where they are those of the events.
  var columns: [String]? { last { $0.columns != nil }?.columns }
}
