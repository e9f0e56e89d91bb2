internal import AgentJSON

/// The running steps of a query, and their time.
///
/// The time of the steps is the clock's minus the allowed lateness. While history is read it is the
/// time of the latest row. While rows wait it is the time of the last row taken. It never goes
/// back.
final class QueryPipeline {
  private let context: StageContext
  private let outlet: OutputStage
  private let first: Stage
  private let timing: QueryTiming
  private let looksAtTime: Bool
  /// The time of the steps.
  private(set) var time = Int64.min
  private var latestRow = Int64.min
  private var reported = QueryLosses()

  init(
    _ plan: QueryPlan, timing: QueryTiming, now: Int64, report: @escaping QueryMemoryReport
  ) {
    self.timing = timing
    looksAtTime = plan.looksAtTime
    context = StageContext(limits: timing.limits, report: report)
    context.now = now
    outlet = OutputStage(context: context, isBounded: plan.stages.isEmpty)
    first = plan.stages.make(in: context, before: outlet)
  }

  /// Takes a row of history. The row advances the time, but not beyond the clock.
  func takeHistory(_ row: JSONObject, at moment: Int64) {
    latestRow = max(latestRow, min(moment, context.now))
    advanceSteps(to: latestRow - timing.lateness)
    take(row, at: moment)
  }

  /// Takes a row. Only this method checks whether a row is too far ahead of the clock. Steps never
  /// see such a row.
  func take(_ row: JSONObject, at moment: Int64) {
    guard !looksAtTime || moment <= context.now + context.limits.future else {
      context.losses.future += 1
      return
    }
    context.meter.beginRow()
    first.take(row, at: moment)
    first.endBatch(BatchMark(time: moment))
    countWork()
  }

  /// Counts a row, or the outputs of a moment, whose work was beyond the limit.
  private func countWork() {
    if context.meter.isExhausted { context.losses.work += 1 }
  }

  /// Returns whether the query has used a slice of time since the last call that returned true.
  func endSlice() -> Bool { context.meter.endSlice() }

  /// Reports the clock's time.
  /// - Parameter seen: rows that arrived after this moment of the clock still wait.
  func advance(to now: Int64, seen: Int64 = .max) {
    context.now = max(context.now, now)
    advanceSteps(to: min(context.now, seen.clamped) - timing.lateness)
  }

  /// Reports the clock's time before rows are taken. It makes no output.
  func moveClock(_ now: Int64) { context.now = max(context.now, now) }

  private func advanceSteps(to moment: Int64) {
    guard moment > time else { return }
    time = moment
    // Most rows advance the time without work for any step, so the steps aren't called.
    guard moment >= context.due else { return }
    context.due = .max
    context.isAdvancing = true
    context.meter.beginOutputs()
    first.advance(to: moment)
    context.isAdvancing = false
    countWork()
  }

  /// The time of the clock when a step has work. Nil means that none has.
  var due: Int64? {
    context.due == .max ? nil : context.due.clamped + timing.lateness
  }

  /// Ends the input at `moment`. Outputs that are due by then go out, regardless of the lateness.
  func finish(at moment: Int64) {
    advanceSteps(to: moment)
    context.isAdvancing = true
    context.meter.beginOutputs()
    first.finish(at: moment)
    context.isAdvancing = false
    countWork()
  }

  /// Starts the time of the steps if no row has done so.
  func begin(at now: Int64) {
    context.beginning = now
    context.wake(at: now - timing.lateness)
    advance(to: now)
  }

  /// Starts the time of the steps for a past span without rows.
  func beginPast(at moment: Int64) {
    guard time == .min else { return }
    context.beginning = moment
    context.wake(at: moment)
    advanceSteps(to: moment)
  }

  /// Resumes after a run of the query that has made the outputs up to `silent`.
  /// - Parameter outputs: the first step that uses time makes the outputs after this moment.
  func resume(outputs: Int64, silent: Int64) {
    context.silentThrough = silent
    context.beginning = outputs
    context.wake(at: outputs)
    advanceSteps(to: outputs)
  }

  /// Returns the outputs and warnings since the last call.
  func drain() -> [QueryMessage] {
    var messages = outlet.drain()
    if !context.warnings.isEmpty {
      messages += context.warnings.map { .warning($0) }
      context.warnings = []
    }
    return messages
  }

  /// Returns sentences about the rows that steps left out since the last call.
  func lossMessages() -> [QueryMessage] {
    let losses = context.losses
    defer { reported = losses }
    let outside = "and were left out of windows."
    let causes: [(KeyPath<QueryLosses, UInt64>, String)] = [
      (\.late, "came later than any window that was still to be put out \(outside)"),
      (\.future, "were too far ahead of the clock \(outside)"),
      (\.groups, "were of more than \(context.limits.groups) groups \(outside)"),
      (\.work, "needed more than \(context.limits.work.row) steps and were left out."),
      (\.bytes, "had more than \(context.limits.rowBytes) bytes. Their further columns are null."),
      (
        \.outputs,
        "were left out, because the output of one moment has at most "
          + "\(context.limits.outputBytes) bytes."
      ),
    ]
    return causes.compactMap { count, consequence in
      let new = losses[keyPath: count] - reported[keyPath: count]
      return new == 0 ? nil : .warning("\(new) rows \(consequence)")
    }
  }

  var losses: QueryLosses { context.losses }

  /// Whether the steps exceed their memory.
  var isOverfull: Bool { context.memory.isOverdrawn }

  /// Why the steps may hold no more, although they are within the query's own limit.
  var refusal: String? { context.memory.refusal }

  func statistics() -> [StageStatistics] { first.allStatistics() }
}
