public import AgentSchedules
public import AgentTasks

/// The fire times of a schedule, the task that it creates, and its policies for missed and
/// overlapping runs. The texts are as the user wrote them; ``schedule(id:created:rules:)`` checks
/// them.
public struct ScheduleDefinition: Sendable, Equatable {
  /// The rule for the fire times. docs/schedules.md describes the three forms.
  public enum Timing: Sendable, Equatable {
    /// A cron expression: `0 2 * * *`.
    case cron(String)
    /// An interval between two runs: `15m`.
    case every(String)
    /// One date: `2026-03-29T02:00`.
    case at(String)
  }

  public var timing: Timing
  /// The name of the time zone in which the timing and the dates are read.
  public var zone = "UTC"
  /// The date from which the schedule fires. Nil means no limit; an interval then starts at the
  /// creation of the schedule.
  public var start: String?
  /// The date from which the schedule doesn't fire any more. Nil means no limit.
  public var end: String?
  /// The interval over which runs are spread. Each run is delayed by less than this. Nil means no
  /// delay.
  public var jitter: String?
  /// The rule for fire times that passed while nothing could run.
  public var misfire = MisfirePolicy.once
  /// The rule for a fire time while an earlier run hasn't ended.
  public var overlap = OverlapPolicy.skip
  /// A note for people. The scheduler doesn't read it.
  public var description = ""
  /// Whether a schedule that is created from this definition begins paused.
  public var isPaused = false
  /// The task of each run. Nil for a preview, where only the fire times matter.
  public var task: ScheduledTask?

  /// Creates a definition in UTC with the default policies.
  public init(_ timing: Timing, task: ScheduledTask? = nil) {
    (self.timing, self.task) = (timing, task)
  }

  /// Returns the schedule that computes the fire times.
  /// - Parameters:
  ///   - id: the schedule's id. It decides the delay of each run within the jitter.
  ///   - created: when the schedule was created, in Unix milliseconds. An interval without a start
  ///     is counted from it.
  ///   - rules: the rules of the time zone `zone`.
  /// - Throws: `invalid` with the text that was found and the allowed forms.
  public func schedule(
    id: Int64, created: Int64, rules: TimeZoneRules
  ) throws(TaskError) -> Schedule {
    do {
      let timing: ScheduleTiming =
        switch timing {
        case .cron(let text): .cron(try CronExpression(text))
        case .every(let text): .every(try Self.read("every") { try Interval(text) })
        case .at(let text): .at(try Self.time("at", text, in: rules))
        }
      var first = try start.map { try Self.time("start", $0, in: rules) }
      // An interval has no fixed grid as a cron expression has: it needs a first moment.
      if case .every = timing { first = first ?? created }
      let delay = try jitter.map { text in
        try Self.read("jitter") { try Interval(text).milliseconds }
      }
      return try Schedule(
        id: "\(id)", timing: timing, zone: rules,
        jitter: delay ?? 0, start: first, end: try end.map { try Self.time("end", $0, in: rules) })
    } catch {
      throw TaskError(.invalid, "\(error)")
    }
  }

  private static func time(
    _ member: String, _ text: String, in rules: TimeZoneRules
  ) throws(TaskError) -> Int64 {
    try read(member) { try ScheduleDate(text).time(in: rules) }
  }

  /// Reads the text of a member. The errors of intervals, dates and policies have no place, so they
  /// get the member's name. That of a cron expression has its column, too.
  static func read<Value>(
    _ member: String, _ work: () throws -> Value
  ) throws(TaskError) -> Value {
    do {
      return try work()
    } catch {
      throw TaskError(.invalid, "\(member): \(error)")
    }
  }

  /// The timing in words: `At 02:00 on Monday`. If the timing is invalid, the reason.
  public var words: String {
    do {
      return switch timing {
      case .cron(let text): "\(try CronExpression(text))"
      case .every(let text): "\(try Interval(text))"
      case .at(let text): "once at \(text)"
      }
    } catch {
      return "\(error)"
    }
  }
}
