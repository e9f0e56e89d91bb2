public import AgentSchedules
public import AgentTasks

/// When a schedule fires, what it makes, and what happens when it can't: as somebody has written
/// it.
public struct ScheduleDefinition: Sendable, Equatable {
  /// What makes it fire, in the words of docs/schedules.md.
  public enum Timing: Sendable, Equatable {
    /// A cron expression.
    case cron(String)
    /// An interval.
    case every(String)
    /// A date.
    case at(String)
  }

  /// What makes it fire.
  public var timing: Timing
  /// Whose clock counts.
  public var zone = "UTC"
  /// The first moment at which it may fire; a date.
  public var start: String?
  /// The first moment at which it may not fire any more; a date.
  public var end: String?
  /// By how much runs are spread; an interval.
  public var jitter: String?
  /// What becomes of times that passed while nothing could run.
  public var misfire = MisfirePolicy.once
  /// What happens while an earlier run has not ended.
  public var overlap = OverlapPolicy.skip
  /// For people.
  public var description = ""
  /// Whether it is paused until somebody resumes it.
  public var isPaused = false
  /// What it makes; nil where only the times matter.
  public var task: ScheduledTask?

  /// A definition.
  public init(_ timing: Timing, task: ScheduledTask? = nil) {
    (self.timing, self.task) = (timing, task)
  }

  /// The schedule that it describes.
  /// - Parameters:
  ///   - id: decides about the jitter.
  ///   - created: what an interval without a start is counted from.
  ///   - rules: the zone of this name.
  /// - Throws: `invalid` with what was found and what may stand there.
  public func schedule(
    id: Int64, created: Int64, rules: TimeZoneRules
  ) throws(TaskError) -> Schedule {
    do {
      let timing: ScheduleTiming =
        switch timing {
        case .cron(let text): .cron(try CronExpression(text))
        case .every(let text): .every(try Interval(text))
        case .at(let text): .at(try ScheduleDate(text).time(in: rules))
        }
      var first = try start.map { try ScheduleDate($0).time(in: rules) }
      if case .every = timing { first = first ?? created }
      return try Schedule(
        id: "\(id)", timing: timing, zone: rules,
        jitter: try jitter.map { try Interval($0).milliseconds } ?? 0, start: first,
        end: try end.map { try ScheduleDate($0).time(in: rules) })
    } catch {
      throw TaskError(.invalid, "\(error)")
    }
  }

  /// What it means, for people: `At 02:00 on Monday`; what is wrong with it where it means nothing.
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
