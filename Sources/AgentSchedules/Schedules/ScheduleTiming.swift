/// The rule for the fire times of a schedule.
public enum ScheduleTiming: Sendable, Hashable {
  /// Fires whenever the clock of the schedule's zone shows a matching time.
  case cron(CronExpression)
  /// Fires at the start and after each further interval. The times are multiples of the interval
  /// from the start, so late runs don't shift them.
  case every(Interval)
  /// Fires once, at this time in Unix milliseconds.
  case at(Int64)
}
