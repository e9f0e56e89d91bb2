internal import AgentText

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

/// The times of a repeated or single run. It is a value without a clock: the caller passes the
/// time.
///
/// All times are Unix milliseconds. A *fire time* is a time computed from the timing. Each schedule
/// runs at most once for each fire time. The run may be due a little later; see ``due(_:)``.
public struct Schedule: Sendable, Hashable {
  /// The largest jitter: one day.
  public static let longestJitter: Int64 = 86_400_000

  /// The rule for the fire times.
  public let timing: ScheduleTiming
  /// The time zone of cron expressions.
  public let zone: TimeZoneRules
  /// The largest delay of a run, in milliseconds.
  public let jitter: Int64
  /// The first possible fire time.
  public let start: Int64
  /// The end of the possible fire times, exclusive.
  public let end: Int64
  private let seed: UInt64

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - id: the schedule's id. It only affects the jitter.
  ///   - timing: the rule for the fire times.
  ///   - zone: the time zone of cron expressions.
  ///   - jitter: the largest delay of a run, in milliseconds.
  ///   - start: the first possible fire time. Intervals are counted from it.
  ///   - end: the end of the possible fire times, exclusive.
  /// - Throws: ``ScheduleError`` if the parts contradict each other.
  public init(
    id: String, timing: ScheduleTiming, zone: TimeZoneRules = .utc, jitter: Int64 = 0,
    start: Int64? = nil, end: Int64? = nil
  ) throws(ScheduleError) {
    let span = ScheduleTime.earliest...ScheduleTime.latest
    for time in [start, end] {
      guard time.map(span.contains) ?? true else {
        throw ScheduleError(.schedule, "A schedule's start and end lie in the years 1 to 9999.")
      }
    }
    if case .every = timing, start == nil {
      throw ScheduleError(.schedule, "A schedule with an interval needs a start to count from.")
    }
    guard (0...Self.longestJitter).contains(jitter) else {
      throw ScheduleError(
        .schedule, "A schedule's jitter is 0 to \(Self.longestJitter) ms, not \(jitter).")
    }
    self.timing = timing
    self.zone = zone
    self.jitter = jitter
    self.start = start ?? ScheduleTime.earliest
    self.end = end ?? ScheduleTime.latest
    guard self.start < self.end else {
      throw ScheduleError(.schedule, "The schedule ends before it starts. Give it a later end.")
    }
    seed = FNV1a.hash(of: id.utf8)
  }

  /// Returns the first fire time after `time`, or `nil` if there is none.
  public func next(after time: Int64) -> Int64? {
    let time = max(time, start - 1)
    guard time < end else { return nil }
    let next: Int64? =
      switch timing {
      case .cron(let expression):
        // Milliseconds before the first second of the range belong to no second, so the search
        // begins there.
        expression.next(after: max(time, ScheduleTime.earliest), in: zone)
      case .every(let interval):
        start + ((time - start).dividedDown(by: interval.milliseconds) + 1)
          * interval.milliseconds
      case .at(let moment): moment > time ? moment : nil
      }
    return next.flatMap { $0 < end ? $0 : nil }
  }

  /// Returns the next fire times after `time`, at most `count` and at most a thousand.
  public func upcoming(_ count: Int, after time: Int64) -> [Int64] {
    var times: [Int64] = []
    var time = time
    while times.count < min(count, 1000), let next = next(after: time) {
      times.append(next)
      time = next
    }
    return times
  }

  /// Returns the time at which the run of a fire time is due. The delay is less than the jitter,
  /// and always the same for the same id and fire time. It ends before the next fire time, so runs
  /// keep their order.
  public func due(_ fireTime: Int64) -> Int64 {
    guard jitter > 0 else { return fireTime }
    let maxDelay = next(after: fireTime).map { min(jitter, $0 - fireTime) } ?? jitter
    let number = SplitMix64.number(UInt64(bitPattern: fireTime), seed: seed)
    return fireTime + Int64(number % UInt64(maxDelay))
  }

  /// Schedules with the same fire times and the same delays are equal.
  public static func == (left: Schedule, right: Schedule) -> Bool {
    left.timing == right.timing && left.zone === right.zone && left.jitter == right.jitter
      && left.start == right.start && left.end == right.end && left.seed == right.seed
  }

  /// Hashes the parts that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(timing)
    hasher.combine(ObjectIdentifier(zone))
    hasher.combine(jitter)
    hasher.combine(start)
    hasher.combine(end)
    hasher.combine(seed)
  }
}

extension Schedule: CustomStringConvertible {
  /// The meaning of the schedule, for people: `At 02:00 on Monday, Europe/Berlin` or `every 1 hour
  /// from 2026-01-01T00:00:00, UTC`.
  public var description: String {
    switch timing {
    case .cron(let expression): "\(expression), \(zone)"
    case .every(let interval): "\(interval) from \(zone.localTime(at: start)), \(zone)"
    case .at(let time): "once at \(zone.localTime(at: time)), \(zone)"
    }
  }
}
