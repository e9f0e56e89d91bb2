/// What makes a schedule fire.
public enum ScheduleTiming: Sendable, Hashable {
  /// Whenever the clock of the schedule's zone shows what an expression means.
  case cron(CronExpression)
  /// At its start and after each further interval. Nothing drifts: the times don't depend on when
  /// anything ran.
  case every(Interval)
  /// Once, in Unix milliseconds.
  case at(Int64)
}
