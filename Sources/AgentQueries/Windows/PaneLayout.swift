/// The panes of time for a window with outputs on a grid.
///
/// A pane is the longest interval that every output contains as a whole or not at all. Its ends are
/// the moments of output and the moments at which a window begins. Each output is therefore exact,
/// and there are at most two panes a period (the paired windows of Krishnamurthy, Wu and Franklin,
/// «On-the-fly sharing for streamed aggregation», SIGMOD 2006). All intervals are half-open: a row
/// of the moment T is in the output after T, not in that of T.
struct PaneLayout: Sendable {
  /// The rows of an output at a moment T.
  enum Window: Sendable {
    /// The rows since the previous output: [T − period, T).
    case sinceOutput
    /// [T − length, T).
    case last(Int64)
    /// [T − months or years, T). All such windows begin at outputs.
    case lastOnGrid(QueryPeriod)
    /// The rows since the beginning of the unit of T − 1 ms.
    case current(TimeGrid)
    /// All rows before T.
    case all
  }

  let grid: TimeGrid
  private let window: Window
  private let calendar: QueryCalendar

  init(_ window: Window, every grid: TimeGrid, calendar: QueryCalendar) {
    self.window = window
    self.grid = grid
    self.calendar = calendar
  }

  /// Returns the beginning of the window of an output.
  func start(ofOutput output: Int64) -> Int64 {
    switch window {
    case .sinceOutput: grid.previous(before: output)
    case .last(let length): output - length
    case .lastOnGrid(let period): calendar.moment(period, before: output)
    case .current(let unit): unit.floor(output - 1)
    case .all: .min
    }
  }

  /// How far back the outputs after a moment reach.
  var reach: StageReach {
    if case .all = window { return .unbounded }
    return .since { [self] moment in start(ofOutput: grid.next(after: moment)) }
  }

  /// Returns the pane of `moment`.
  func pane(of moment: Int64) -> Pane {
    let start = grid.floor(moment)
    let end = grid.next(after: moment)
    switch window {
    case .sinceOutput, .lastOnGrid: return Pane(start: start, end: end, key: start)
    case .all: return Pane(start: start, end: end, key: .min)
    case .last(let length):
      let begin = grid.floor(moment + length) - length
      let nextBegin = grid.next(after: moment + length) - length
      let first = max(start, begin)
      return Pane(start: first, end: min(end, nextBegin), key: first)
    case .current(let unit):
      let begin = unit.floor(moment)
      let last = min(end, unit.next(after: moment))
      return Pane(start: max(start, begin), end: last, key: begin)
    }
  }
}

/// An interval: [start, end).
struct Pane: Sendable, Hashable {
  let start: Int64
  let end: Int64
  /// Panes with the same key leave the window together, at the first output whose window begins
  /// after it. They are kept as one.
  let key: Int64

  func contains(_ moment: Int64) -> Bool { start <= moment && moment < end }
}
