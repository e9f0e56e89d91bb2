/// The columns of the rows that a step makes.
enum StageColumns: Sendable {
  /// Those of the rows that come.
  case same
  /// Those of the rows that come, and these.
  case more([String])
  /// These alone.
  case only([String])
  /// Which ones depends on the rows.
  case unknown
}

/// A step of a query, ready to be made as often as the query is run.
struct StagePlan: Sendable {
  /// What the step does, for people.
  let summary: String
  /// The columns of the rows that it makes.
  var columns = StageColumns.same
  /// The columns by which its rows are grouped.
  var groups: [String] = []
  /// What people should know before it runs.
  var notes: [String] = []
  /// Whether it counts by the time of rows, so that one far ahead of the clock has no place in it.
  var looksAtTime = false
  /// How far back it has to see to go on.
  var reach = StageReach.rows
  /// Makes the step in front of the one given.
  let make: @Sendable (Stage?, StageContext) -> Stage
}

extension [StagePlan] {
  /// Makes all steps, the last in front of `end`; gives the first.
  func make(in context: StageContext, before end: Stage) -> Stage {
    reversed().reduce(end) { next, plan in plan.make(next, context) }
  }

  /// The columns of the rows that come out; nil where that depends on the events.
  var columns: [String]? {
    reduce(nil) { known, plan in
      switch plan.columns {
      case .same: known
      case .more(let names):
        known.map { $0 + names.filter { [known] in known?.contains($0) != true } }
      case .only(let names): names
      case .unknown: nil
      }
    }
  }
}
