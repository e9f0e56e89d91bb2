public import AgentSchedules
internal import AgentSystem

/// A stretch of each day in which nobody is disturbed.
///
/// It goes by the wall clock of a place: it is quiet whenever the clock there shows a time from the
/// beginning (included) to the end (excluded). Where the clock is set forward, what it skips isn't
/// there: quiet hours that begin or end within begin or end with the change. Where it is set back,
/// what it shows twice counts twice: quiet hours are an hour longer when the repeated hour lies
/// within, and when it is the repeated hour in which they end, they are taken up again after the
/// change and end for good when the clock shows the end the second time.
public struct QuietHours: Sendable {
  private static let day = 86_400

  /// The second of the day with which they begin.
  let from: Int
  /// The second of the day with which they are over.
  let to: Int
  let zone: TimeZoneRules
  /// Alerts of at least this severity are sent during quiet hours.
  let except: AlertSeverity?

  /// Quiet hours; minutes of the day.
  public init(fromMinute: Int, toMinute: Int, zone: TimeZoneRules, except: AlertSeverity?) {
    from = fromMinute * 60
    to = toMinute * 60
    self.zone = zone
    self.except = except
  }

  /// When it isn't quiet any more, in Unix milliseconds; nil when nothing forbids to tell now.
  func end(for severity: AlertSeverity, at now: Int64) -> Int64? {
    if let except, severity >= except { return nil }
    var second = now.flooredDivision(by: 1000)
    guard isQuiet(second) else { return nil }
    // A change of the clock on the way makes it look again; there are at most two a day.
    for _ in 0..<8 {
      let end = second.adding(Int64(wrapping: to - zone.secondOfDay(second)))
      if let change = zone.nextChange(after: second.multiplied(1000)).map({ $0 / 1000 }),
        change < end
      {
        guard isQuiet(change) else { return change.multiplied(1000) }
        second = change
      } else {
        return end.multiplied(1000)
      }
    }
    return second.adding(Int64(Self.day)).multiplied(1000)
  }

  private func isQuiet(_ second: Int64) -> Bool {
    let time = zone.secondOfDay(second)
    return from <= to ? (from..<to).contains(time) : time >= from || time < to
  }
}

extension TimeZoneRules {
  /// The second of the day that clocks show.
  func secondOfDay(_ second: Int64) -> Int {
    let wall = localTime(at: second.multiplied(1000))
    return wall.hour * 3600 + wall.minute * 60 + wall.second
  }
}

extension Int64 {
  /// Seconds until a time of day that is so far away, less than a day.
  fileprivate init(wrapping seconds: Int) { self = Int64(seconds > 0 ? seconds : seconds + 86_400) }

  /// The quotient towards minus infinity.
  func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient.subtracting(1) : quotient
  }
}
