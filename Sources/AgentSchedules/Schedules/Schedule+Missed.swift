/// The fire times in a period.
public struct MissedFires: Sendable, Hashable {
  /// The latest fire times, ascending.
  public var times: [Int64]
  /// Whether there were earlier ones in the period.
  public var hasMore: Bool

  /// Creates the result of a search.
  public init(times: [Int64], hasMore: Bool) {
    self.times = times
    self.hasMore = hasMore
  }
}

extension Schedule {
  /// Returns the latest fire times after `from` and up to `to`, at most `limit` and at most a
  /// thousand.
  ///
  /// It computes about forty next times for each returned one, however many there are in the
  /// period. A period of a year is therefore no problem for a schedule that fires every second.
  public func missed(from: Int64, to: Int64, limit: Int) -> MissedFires {
    var times: [Int64] = []
    var end = to
    while let time = latest(after: from, upTo: end) {
      guard times.count < min(limit, 1000) else {
        return MissedFires(times: times.reversed(), hasMore: true)
      }
      times.append(time)
      end = time - 1
    }
    return MissedFires(times: times.reversed(), hasMore: false)
  }

  /// Returns the last fire time after `from` and up to `to`. `next` never decreases, so a binary
  /// search finds the last moment whose next fire time is in the period.
  func latest(after from: Int64, upTo to: Int64) -> Int64? {
    var low = max(from, ScheduleTime.earliest)
    var high = min(to, ScheduleTime.latest)
    guard low < high, var found = next(after: low), found <= high else { return nil }
    low = found
    while low < high {
      // Rounding up ensures that the search ends. The last fire time is always at or after `low`.
      let middle = low + (high - low + 1) / 2
      if let next = next(after: middle - 1), next <= high {
        found = next
        low = next
      } else {
        high = middle - 1
      }
    }
    return found
  }
}
