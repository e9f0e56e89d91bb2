/// The columns of a step's rows.
enum StageColumns: Sendable {
  /// The columns of its input.
  case same
  /// The columns of its input and these.
  case more([String])
  /// Only these.
  case only([String])
  /// The columns depend on the rows.
  case unknown
}

/// A plan of one step. Each run of the query makes the step from it.
struct StagePlan: Sendable {
  /// A description for people.
  let summary: String
  /// The columns of its output.
  var columns = StageColumns.same
  /// The columns that its rows are grouped by.
  var groups: [String] = []
  /// The warnings for people before the query runs.
  var notes: [String] = []
  /// Whether it uses the time of rows. A row far ahead of the clock is then left out.
  var looksAtTime = false
  /// How far back it must read to resume.
  var reach = StageReach.rows
  /// Makes the step before the given one.
  let make: @Sendable (Stage?, StageContext) -> Stage
}

extension [StagePlan] {
  /// Makes all steps, the last one before `end`. Returns the first.
  func make(in context: StageContext, before end: Stage) -> Stage {
    reversed().reduce(end) { next, plan in plan.make(next, context) }
  }

  /// The columns of the output. Nil means that they depend on the events.
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
