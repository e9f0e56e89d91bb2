internal import AgentText

/// When something is to run: a pure value, which is told the time.
///
/// All times are Unix milliseconds. A *fire time* is what the timing says, and is what makes a run
/// one of a kind: at most one for each schedule and fire time. When it is due may be a little
/// later; see ``due(_:)``.
public struct Schedule: Sendable, Hashable {
  /// The most that runs may be spread by: a day.
  public static let longestJitter: Int64 = 86_400_000

  /// What makes it fire.
  public let timing: ScheduleTiming
  /// The time zone in which cron expressions are read.
  public let zone: TimeZoneRules
  /// By how many milliseconds at most a run is put off.
  public let jitter: Int64
  /// The first time at which it may fire.
  public let start: Int64
  /// The first time at which it may not fire any more.
  public let end: Int64
  private let seed: UInt64

  /// A schedule.
  ///
  /// - Parameters:
  ///   - id: what it is known by; it only decides about the jitter.
  ///   - timing: what makes it fire.
  ///   - zone: whose clock counts for cron expressions.
  ///   - jitter: by how many milliseconds at most runs are put off.
  ///   - start: the first time at which it may fire, and what intervals are counted from.
  ///   - end: the first time at which it may not fire any more.
  /// - Throws: ``ScheduleError`` if these don't go together.
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

  /// The first fire time after `time`, nil if there is none.
  public func next(after time: Int64) -> Int64? {
    let time = max(time, start - 1)
    guard time < end else { return nil }
    let next: Int64? =
      switch timing {
      case .cron(let expression):
        // Milliseconds before the first second of all there is nothing to look at.
        expression.next(after: max(time, ScheduleTime.earliest), in: zone)
      case .every(let interval):
        start + ((time - start).dividedDown(by: interval.milliseconds) + 1)
          * interval.milliseconds
      case .at(let moment): moment > time ? moment : nil
      }
    return next.flatMap { $0 < end ? $0 : nil }
  }

  /// The next fire times after `time`, at most `count` (and a thousand) of them.
  public func upcoming(_ count: Int, after time: Int64) -> [Int64] {
    var times: [Int64] = []
    var time = time
    while times.count < min(count, 1000), let next = next(after: time) {
      times.append(next)
      time = next
    }
    return times
  }

  /// When the run of a fire time is due: put off by less than the jitter, always by the same for
  /// the same id and fire time, and never up to the next fire time, so that runs keep their order.
  public func due(_ fireTime: Int64) -> Int64 {
    guard jitter > 0 else { return fireTime }
    let maxDelay = next(after: fireTime).map { min(jitter, $0 - fireTime) } ?? jitter
    let number = SplitMix64.number(UInt64(bitPattern: fireTime), seed: seed)
    return fireTime + Int64(number % UInt64(maxDelay))
  }

  /// Schedules that fire at the same times and are put off alike are equal.
  public static func == (left: Schedule, right: Schedule) -> Bool {
    left.timing == right.timing && left.zone === right.zone && left.jitter == right.jitter
      && left.start == right.start && left.end == right.end && left.seed == right.seed
  }

  /// Hashes what makes schedules equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(timing)
    hasher.combine(ObjectIdentifier(zone))
    hasher.combine(jitter)
    hasher.combine(start)
    hasher.combine(end)
    hasher.combine(seed)
  }
}
