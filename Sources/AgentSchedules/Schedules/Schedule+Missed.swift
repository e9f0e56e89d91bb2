/// Fire times in a stretch of time.
public struct MissedFires: Sendable, Hashable {
  /// The latest of them, ascending.
  public var times: [Int64]
  /// Whether there were more before those.
  public var hasMore: Bool

  /// Fire times that were found.
  public init(times: [Int64], hasMore: Bool) {
    self.times = times
    self.hasMore = hasMore
  }
}

extension Schedule {
  /// The latest fire times after `from` and up to `to`, at most `limit` of them (and a thousand).
  ///
  /// It costs some forty computations of a next time for each that is returned, however many there
  /// were: a schedule of each second that slept for a year is no trouble.
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

  /// The last fire time after `from` and up to `to`. `next` never decreases: the last moment whose
  /// next fire time still is in the stretch is found by halving.
  func latest(after from: Int64, upTo to: Int64) -> Int64? {
    var low = max(from, ScheduleTime.earliest)
    var high = min(to, ScheduleTime.latest)
    guard low < high, var found = next(after: low), found <= high else { return nil }
    low = found
    while low < high {
      // Rounded up, so that it ends; what is known to fire is at or before `low`.
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
