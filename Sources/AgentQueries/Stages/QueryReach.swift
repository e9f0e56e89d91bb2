/// How far back a step must read to resume after a moment.
enum StageReach: Sendable {
  /// Each output depends only on the row that comes.
  case rows
  /// Outputs after a moment depend on the rows since the returned moment.
  case since(@Sendable (Int64) -> Int64)
  /// Outputs depend on all rows that ever came.
  case unbounded

  /// Returns the reach of several chains with the same rows. A chain without windows beside one
  /// with windows is at another position when the query ends. No moment stands for both.
  static func widest(_ reaches: [StageReach]) -> StageReach {
    var since: [@Sendable (Int64) -> Int64] = []
    for reach in reaches {
      switch reach {
      case .rows: continue
      case .since(let moment): since.append(moment)
      case .unbounded: return .unbounded
      }
    }
    guard !since.isEmpty else { return .rows }
    guard since.count == reaches.count else { return .unbounded }
    return .since { [since] moment in since.map { $0(moment) }.min() ?? moment }
  }
}

/// How a query resumes.
enum QueryReach: Sendable {
  /// It resumes after the last row that it has taken.
  case rows
  /// It resumes with all rows since the moment `rows`. The first step that uses time makes the
  /// outputs after `outputs`.
  case since(rows: Int64, outputs: Int64)
  /// It can't resume and begins anew.
  case unbounded
}

extension [StagePlan] {
  /// Returns the reach of all steps, if the last one has made its outputs up to a moment.
  func reach(after moment: Int64) -> QueryReach {
    var (rows, outputs): (Int64?, Int64) = (nil, moment)
    for stage in reversed() {
      switch stage.reach {
      case .rows: continue
      case .unbounded: return .unbounded
      case .since(let start):
        outputs = rows ?? moment
        rows = start(outputs).clamped
      }
    }
    return rows.map { .since(rows: $0, outputs: outputs) } ?? .rows
  }

  /// The reach of several chains as one step.
  var reach: StageReach {
    let reaches = map(\.reach)
    if reaches.contains(where: { if case .unbounded = $0 { true } else { false } }) {
      return .unbounded
    }
    guard case .since = reach(after: 0) else { return .rows }
    return .since { [self] moment in
      guard case .since(let rows, _) = reach(after: moment) else { return moment }
      return rows
    }
  }
}
