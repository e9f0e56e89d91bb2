internal import AgentJSON

/// One step of a running query: takes rows, gives rows to the next step.
///
/// Rows come in batches: an event is a batch of its own, the rows of one output of a window are
/// one together. Time comes apart from rows, by ``advance(to:)``, and never goes back.
class Stage {
  let next: Stage?
  let context: StageContext
  private(set) var figures: StageFigures

  init(_ name: String, next: Stage?, context: StageContext) {
    self.next = next
    self.context = context
    figures = StageFigures(name: name)
  }

  /// Takes one row that happened at `time`.
  final func take(_ row: JSONObject, at time: Int64) {
    figures.rowsIn += 1
    process(row, at: time)
  }

  /// The number of the row that is being processed, counted from 1.
  final var rowNumber: UInt64 { figures.rowsIn }

  /// Gives one row to the next step.
  final func send(_ row: JSONObject, at time: Int64) {
    figures.rowsOut += 1
    next?.take(row, at: time)
  }

  /// Counts a row that is kept in this step.
  final func hold(_ row: JSONObject, in held: inout Int) {
    let size = row.heldBytes
    held += size
    context.memory.add(size)
  }

  /// Counts that what was kept isn't any more.
  final func letGo(_ held: inout Int) {
    context.memory.add(-held)
    held = 0
  }

  /// What the step does with a row.
  func process(_ row: JSONObject, at time: Int64) {}

  /// The rows taken since the last call belong together.
  func endBatch(_ mark: BatchMark) { next?.endBatch(mark) }

  /// Every row before `time` has come, as far as anybody can tell.
  func advance(to time: Int64) { next?.advance(to: time) }

  /// No more rows come; the input ended at `time`.
  func finish(at time: Int64) { next?.finish(at: time) }

  /// What the step holds at the moment.
  func measure(_ figures: inout StageFigures) {}

  /// This step's figures and those of the steps behind it, in order.
  func allFigures() -> [StageFigures] {
    var own = figures
    measure(&own)
    return [own] + (next?.allFigures() ?? [])
  }
}

/// What is known of a batch.
struct BatchMark {
  /// The moment that the batch stands for.
  let time: Int64
  /// The columns whose values are estimates.
  var sketches: [String] = []
}

/// What the steps of one query share.
final class StageContext {
  /// The latest time of the clock that was told.
  var now: Int64 = 0
  /// When real time began without any row before it: nothing goes out for the time before.
  var beginning = Int64.min
  /// The earliest moment at which a step has something to do.
  var due: Int64 = .max
  /// Rows that steps left out, and why.
  var losses = QueryLosses()
  /// What people should be told once.
  var warnings: [String] = []
  let limits: EngineLimits
  /// What all steps hold.
  let memory: MemoryAccount
  /// Outputs up to this moment were made by a query before this one: they don't go out.
  var silentThrough = Int64.min
  /// Whether time moves on at the moment, so that many outputs may come of one call.
  var isAdvancing = false

  init(limits: EngineLimits) {
    self.limits = limits
    memory = MemoryAccount(limit: limits.bytes)
  }

  /// The moment at which a row counts that can't count at its own: never ahead of the clock, so
  /// that it doesn't keep those waiting that come after it.
  func arrival(of time: Int64) -> Int64 {
    time.clamped <= now + limits.ahead ? time.clamped : now
  }

  /// Asks for ``Stage/advance(to:)`` at `moment`.
  func wake(at moment: Int64) { due = min(due, moment) }
}

/// How much a query may hold.
struct EngineLimits: Sendable {
  /// The most groups of one pipe.
  var groups = 100_000
  /// The most bytes of all pipes.
  var bytes = 256 << 20
  /// How far ahead of the clock a row may be.
  var future: Int64 = 3_600_000
  /// How far ahead of the clock a row may be and still count at its own time where it could keep
  /// others waiting: the clock is told now and then only.
  var ahead: Int64 = 1_000
  /// How many outputs in a row a pipe makes out of nothing before it skips to the present.
  var emptyOutputs = 10_000
  /// How many outputs a pipe makes when time moves on at once, before it skips to the present.
  var outputs = 100_000
  /// How many rows such outputs may have together.
  var outputRows: UInt64 = 1_000_000
  /// The most rows of one output of a join.
  var joinedRows = 100_000
}
