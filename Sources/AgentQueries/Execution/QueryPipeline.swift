internal import AgentJSON

/// A query's steps at work, and the time they know.
///
/// The steps' time is the clock's, less the lateness that is allowed for; while history is read it
/// is that of the latest row, and while rows that have come still wait it is that of the last one
/// taken. It never goes back.
final class QueryPipeline {
  private let context: StageContext
  private let outlet: OutputStage
  private let first: Stage
  private let timing: QueryTiming
  private let looksAtTime: Bool
  /// The steps' time.
  private(set) var time = Int64.min
  private var latestRow = Int64.min
  private var told = QueryLosses()

  init(_ plan: QueryPlan, timing: QueryTiming, now: Int64) {
    self.timing = timing
    looksAtTime = plan.looksAtTime
    context = StageContext(limits: timing.limits)
    context.now = now
    outlet = OutputStage(context: context)
    first = plan.stages.make(in: context, before: outlet)
  }

  /// Takes a row of history, which moves the time on, but never beyond the clock.
  func takeHistory(_ row: JSONObject, at moment: Int64) {
    latestRow = max(latestRow, min(moment, context.now))
    advanceSteps(to: latestRow - timing.lateness)
    take(row, at: moment)
  }

  /// Takes a row. This is the one place that looks whether it is too far ahead of the clock: no step
  /// sees such a row.
  func take(_ row: JSONObject, at moment: Int64) {
    guard !looksAtTime || moment <= context.now + context.limits.future else {
      context.losses.future += 1
      return
    }
    first.take(row, at: moment)
    first.endBatch(BatchMark(time: moment))
  }

  /// Tells the clock's time.
  /// - Parameter seen: rows that came after this moment of the clock are still to be taken.
  func advance(to now: Int64, seen: Int64 = .max) {
    context.now = max(context.now, now)
    advanceSteps(to: min(context.now, seen.clamped) - timing.lateness)
  }

  /// Tells the clock's time to come, before rows are taken; no output is made of it.
  func tell(_ now: Int64) { context.now = max(context.now, now) }

  private func advanceSteps(to moment: Int64) {
    guard moment > time else { return }
    time = moment
    guard moment >= context.due else { return }
    context.due = .max
    context.isAdvancing = true
    first.advance(to: moment)
    context.isAdvancing = false
  }

  /// The clock's time at which a step has something to do; nil when none has.
  var due: Int64? {
    context.due == .max ? nil : context.due.clamped + timing.lateness
  }

  /// The input ends at `moment`: what was due by then goes out, whatever the lateness.
  func finish(at moment: Int64) {
    advanceSteps(to: moment)
    context.isAdvancing = true
    first.finish(at: moment)
    context.isAdvancing = false
  }

  /// Starts the steps' time where no row has.
  func begin(at now: Int64) {
    context.beginning = now
    context.wake(at: now - timing.lateness)
    advance(to: now)
  }

  /// Starts the steps' time for a span of the past in which there was no row.
  func beginPast(at moment: Int64) {
    guard time == .min else { return }
    context.beginning = moment
    context.wake(at: moment)
    advanceSteps(to: moment)
  }

  /// Goes on behind a query that has made the outputs up to `silent`.
  /// - Parameter outputs: the step that looks at time first makes those behind this moment.
  func resume(outputs: Int64, silent: Int64) {
    context.silentThrough = silent
    context.beginning = outputs
    context.wake(at: outputs)
    advanceSteps(to: outputs)
  }

  /// What came out since the last call, and what people should be told.
  func drain() -> [QueryMessage] {
    var messages = outlet.drain()
    if !context.warnings.isEmpty {
      messages += context.warnings.map { .warning($0) }
      context.warnings = []
    }
    return messages
  }

  /// What steps have left out since the last call, in sentences.
  func lossMessages() -> [QueryMessage] {
    let losses = context.losses
    defer { told = losses }
    return [
      (losses.late - told.late, "came later than any window that was still to be put out"),
      (losses.future - told.future, "were too far ahead of the clock"),
      (losses.groups - told.groups, "were of more than \(context.limits.groups) groups"),
    ].compactMap { count, reason in
      count == 0 ? nil : .warning("\(count) rows \(reason) and were left out of windows.")
    }
  }

  var losses: QueryLosses { context.losses }

  /// Whether the steps hold more than they may.
  var isOverfull: Bool { context.memory.isOverdrawn }

  func figures() -> [StageFigures] { first.allFigures() }
}
