internal import AgentJSON

/// One step of a running query. It takes rows and passes rows to the next step.
///
/// Rows come in batches: an event is a batch, and the rows of one output of a window are one
/// together. Time comes separately, by ``advance(to:)``, and never goes back.
class Stage {
  let next: Stage?
  let context: StageContext
  private(set) var statistics: StageStatistics

  init(_ name: String, next: Stage?, context: StageContext) {
    self.next = next
    self.context = context
    statistics = StageStatistics(name: name)
  }

  /// Takes one row that happened at `time`.
  final func take(_ row: JSONObject, at time: Int64) {
    // A row whose work is beyond the limit goes no further.
    guard context.meter.spend(WorkMeter.stepsOfPipe) else { return }
    statistics.rowsIn += 1
    process(row, at: time)
  }

  /// The number of the row that is being processed, counted from 1.
  final var rowNumber: UInt64 { statistics.rowsIn }

  /// Passes one row to the next step.
  final func send(_ row: JSONObject, at time: Int64) {
    statistics.rowsOut += 1
    next?.take(row, at: time)
  }

  /// Counts a row that this step keeps.
  final func hold(_ row: JSONObject, in held: inout Int) {
    let size = row.heldBytes
    held += size
    context.memory.add(size)
    _ = context.meter.spend(size / WorkMeter.stepsOfPipe)
  }

  /// Counts that this step keeps nothing any more.
  final func release(_ held: inout Int) {
    context.memory.add(-held)
    held = 0
  }

  /// Processes a row.
  func process(_ row: JSONObject, at time: Int64) {}

  /// Ends a batch: the rows since the last call belong together.
  func endBatch(_ mark: BatchMark) { next?.endBatch(mark) }

  /// Advances the time: every row before `time` should have come.
  func advance(to time: Int64) { next?.advance(to: time) }

  /// Ends the input at `time`.
  func finish(at time: Int64) { next?.finish(at: time) }

  /// Adds the present contents of the step to its metrics.
  func measure(_ statistics: inout StageStatistics) {}

  /// Returns the metrics of this step and of the steps after it, in order.
  func allStatistics() -> [StageStatistics] {
    var own = statistics
    measure(&own)
    return [own] + (next?.allStatistics() ?? [])
  }
}

/// The properties of a batch.
struct BatchMark {
  /// The moment that the batch stands for.
  let time: Int64
  /// The columns whose values are estimates.
  var sketches: [String] = []
}

/// The shared state of the steps of one query.
final class StageContext {
  /// The latest reported time of the clock.
  var now: Int64 = 0
  /// The time when real time began without any earlier row. Outputs before it are left out.
  var beginning = Int64.min
  /// The earliest moment when a step has work.
  var due: Int64 = .max
  /// The rows that steps left out, by reason.
  var losses = QueryLosses()
  /// The warnings for people. Each is sent once.
  var warnings: [String] = []
  let limits: EngineLimits
  /// The memory of all steps.
  let memory: MemoryAccount
  /// The work of the present row.
  let meter: WorkMeter
  /// The previous run of the query has made the outputs up to this moment. They aren't sent again.
  var silentThrough = Int64.min
  /// Whether time is advancing, so that one call may make many outputs.
  var isAdvancing = false

  init(limits: EngineLimits, report: @escaping QueryMemoryReport) {
    self.limits = limits
    memory = MemoryAccount(limit: limits.bytes, report: report)
    meter = WorkMeter(limits.work)
  }

  /// Returns the moment at which a row counts. A row far ahead of the clock counts as one of now.
  /// Otherwise it would delay the rows after it.
  func arrival(of time: Int64) -> Int64 {
    time.clamped <= now + limits.ahead ? time.clamped : now
  }

  /// Requests ``Stage/advance(to:)`` at `moment`.
  func wake(at moment: Int64) { due = min(due, moment) }
}

/// The limits of a query's memory and output.
struct EngineLimits: Sendable {
  /// The maximum number of groups of one pipe.
  var groups = 100_000
  /// The maximum number of bytes of all pipes.
  var bytes = 256 << 20
  /// The maximum number of steps.
  var work = WorkLimits()
  /// The maximum number of bytes of an output row as JSON.
  var rowBytes = 4 << 20
  /// The maximum number of bytes of the output rows of one moment as JSON. One message has them all.
  var outputBytes = 32 << 20
  /// How far a row may be ahead of the clock, in milliseconds.
  var future: Int64 = 3_600_000
  /// How far a row may be ahead of the clock and still count at its own time, in milliseconds, if
  /// it could delay others. The clock is reported only from time to time.
  var ahead: Int64 = 1_000
  /// The number of outputs without rows that a pipe makes in a row before it skips to the present.
  var emptyOutputs = 10_000
  /// The number of outputs that a pipe makes in one advance of time before it skips to the present.
  var outputs = 100_000
  /// The number of rows of these outputs together.
  var outputRows: UInt64 = 1_000_000
  /// The maximum number of rows of one output of a join.
  var joinedRows = 100_000
}
