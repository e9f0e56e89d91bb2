internal import AgentMetrics
internal import Synchronization

/// Counts what it is given for a series.
protocol SeriesHandler: AnyObject, Sendable {
  var series: Series { get }
}

/// The series that libraries have made, with the number of uses of each.
///
/// A library chooses its dimensions, and they may hold addresses or names that somebody typed. Each
/// family therefore keeps a limited number of combinations. Further ones share a series called
/// `other`. Gauges can't be added up, so further gauges aren't shown.
final class SeriesRegistry: Sendable {
  private struct Entry {
    let handler: any SeriesHandler
    var uses = 1
  }

  private struct State {
    var entries: [Series: Entry] = [:]
    var combinations: [String: Int] = [:]
  }

  static let maxCombinations = 100
  static let maxSeries = 2000

  private let state = Mutex(State())

  /// The handler of a series: the same one each time.
  /// - Parameter make: makes it, of the series that it really is, and of whether that is shown.
  func take<Handler: SeriesHandler>(
    _ wanted: Series, _ make: (Series, Bool) -> Handler
  ) -> Handler {
    state.withLock { state in
      var series = wanted
      if state.entries[series] == nil, Self.isFull(series, state), series.kind != .gauge {
        series = series.other
      }
      if let known = state.entries[series]?.handler as? Handler {
        state.entries[series]?.uses += 1
        return known
      }
      // `other` has a place beside those that are counted.
      let isKept =
        state.entries.count < Self.maxSeries
        && (!Self.isFull(series, state) || series == wanted.other)
      let handler = make(series, isKept)
      guard isKept else { return handler }
      state.entries[series] = Entry(handler: handler)
      state.combinations[series.name, default: 0] += 1
      return handler
    }
  }

  /// A handler isn't needed any more by one of those who have it.
  /// - Parameter forget: called if it was the last one, before the series can be made again.
  func release(_ handler: AnyObject, _ forget: (Series) -> Void) {
    guard let handler = handler as? any SeriesHandler else { return }
    let series = handler.series
    state.withLock { state in
      guard let entry = state.entries[series], entry.handler === handler else { return }
      guard entry.uses <= 1 else {
        state.entries[series]?.uses -= 1
        return
      }
      state.entries[series] = nil
      state.combinations[series.name, default: 1] -= 1
      if state.combinations[series.name] == 0 { state.combinations[series.name] = nil }
      forget(series)
    }
  }

  private static func isFull(_ series: Series, _ state: State) -> Bool {
    state.combinations[series.name, default: 0] >= maxCombinations
  }
}
