/// The rule for fire times that passed while nothing could run.
public enum MisfirePolicy: Sendable, Hashable, CustomStringConvertible {
  /// They have no runs.
  case skip
  /// One run replaces all of them. Its fire time is the latest.
  case once
  /// Each of the latest `upTo` fire times has a run. `upTo` is 1 to 1000.
  case all(upTo: Int)

  /// Reads `skip`, `once`, `all` (up to 100) or `all:10`.
  ///
  /// - Throws: ``ScheduleError`` with the allowed forms.
  public init(_ text: String) throws(ScheduleError) {
    switch text {
    case "skip": self = .skip
    case "once": self = .once
    case "all": self = .all(upTo: 100)
    default:
      guard text.hasPrefix("all:"), let limit = Int(text.dropFirst(4)), (1...1000).contains(limit)
      else {
        throw ScheduleError(
          .policy,
          "\(String(text.prefix(40)).debugDescription) isn't a misfire policy. Allowed are skip, once, all, and all:N with N from 1 to 1000."
        )
      }
      self = .all(upTo: limit)
    }
  }

  /// The policy in the form that is read.
  public var description: String {
    switch self {
    case .skip: "skip"
    case .once: "once"
    case .all(let limit): "all:\(limit)"
    }
  }

  /// Returns the runs that are due now.
  ///
  /// - Parameters:
  ///   - schedule: the schedule that fires.
  ///   - handled: the latest fire time that was decided. For a new schedule, its creation time.
  ///   - now: the current time, in Unix milliseconds.
  ///   - grace: the delay in milliseconds up to which a run counts as on time. Such a run always
  ///     takes place, whatever the policy is.
  /// - Returns: the runs, and the time up to which they are decided. The caller stores both in one
  ///   transaction and passes that time as `handled` in the next call. Each fire time then has one
  ///   run, even after a crash.
  public func decide(_ schedule: Schedule, handled: Int64, now: Int64, grace: Int64)
    -> MisfireDecision
  {
    let limit = if case .all(let limit) = self { min(max(limit, 1), 1000) } else { 1 }
    let onTime = MisfireDecision.onTime(schedule, handled: handled, now: now, grace: grace)
    let lateEnd = onTime.first.map { $0 - 1 } ?? schedule.latestDue(after: handled, at: now)
    let late = lateEnd.map { schedule.missed(from: handled, to: $0, limit: limit) }
    let made: [Int64] =
      switch self {
      case .skip: []
      // A run on time replaces the missed ones.
      case .once: onTime.isEmpty ? late?.times ?? [] : []
      case .all: late?.times ?? []
      }
    let fires = made + onTime
    return MisfireDecision(
      fires: fires, handled: onTime.last ?? lateEnd ?? handled,
      leftOut: (late?.times.count ?? 0) > made.count || late?.hasMore == true)
  }
}

/// The result of ``MisfirePolicy/decide(_:handled:now:grace:)``.
public struct MisfireDecision: Sendable, Hashable {
  /// The fire times that run now, in order.
  public let fires: [Int64]
  /// The latest fire time that is decided. It is `handled` of the next call.
  public let handled: Int64
  /// Whether missed fire times have no run.
  public let leftOut: Bool

  /// Returns the latest fire times that are due and not older than `grace`, at most a thousand.
  static func onTime(_ schedule: Schedule, handled: Int64, now: Int64, grace: Int64) -> [Int64] {
    guard let latest = schedule.latestDue(after: handled, at: now) else { return [] }
    let reach = min(max(0, grace), Interval.range.upperBound) + schedule.jitter
    let oldest = max(handled, latest - reach - 1)
    return schedule.missed(from: oldest, to: latest, limit: 1000).times
      .filter { now - schedule.due($0) <= grace }
  }
}

extension Schedule {
  /// Returns the latest fire time after `handled` whose run is due at `now`. With a jitter, only
  /// the last of the passed fire times may still wait, because a jitter never delays a run to the
  /// next fire time.
  func latestDue(after handled: Int64, at now: Int64) -> Int64? {
    guard let last = latest(after: handled, upTo: now) else { return nil }
    return due(last) <= now ? last : latest(after: handled, upTo: last - 1)
  }
}
