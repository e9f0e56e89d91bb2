/// How far back a step has to see to go on behind a moment.
enum StageReach: Sendable {
  /// What goes out depends on the row that comes alone.
  case rows
  /// Outputs behind a moment are made of rows since the one given for it.
  case since(@Sendable (Int64) -> Int64)
  /// All that ever came counts.
  case unbounded

  /// What several chains need that get the same rows. One without windows beside one with them is at
  /// another place when the query ends, so that no moment stands for both.
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

/// How a query goes on that is started again.
enum QueryReach: Sendable {
  /// With the row behind the last one that was taken.
  case rows
  /// With all rows from the moment `rows` on; the step that looks at time first makes outputs
  /// behind `outputs`.
  case since(rows: Int64, outputs: Int64)
  /// It can't: it begins anew.
  case unbounded
}

extension [StagePlan] {
  /// What the steps need together, the last one's outputs up to a moment having been made.
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

  /// The same for several chains as one step.
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
