internal import DequeModule
internal import Synchronization

/// Spans that wait to be exported. It is bounded: when a collector is away the newest are counted
/// and lost, and what is traced never waits.
final class SpanQueue: Sendable {
  struct Statistics: Sendable {
    var waiting = 0
    var exported = 0
    var dropped = 0
    var failures = 0
  }

  static let most = 4096

  private struct State {
    var spans: Deque<EndedSpan> = []
    var statistics = Statistics()
  }

  private let state = Mutex(State())

  func put(_ span: EndedSpan) {
    state.withLock { state in
      if state.spans.count < Self.most {
        state.spans.append(span)
      } else {
        state.statistics.dropped += 1
      }
    }
  }

  /// Removes and returns the oldest spans, at most `most`.
  func take(_ most: Int) -> [EndedSpan] {
    state.withLock { state in
      let taken = Array(state.spans.prefix(most))
      state.spans.removeFirst(taken.count)
      return taken
    }
  }

  /// Puts back what was taken and couldn't be sent.
  func putBack(_ spans: [EndedSpan]) {
    state.withLock { state in
      let space = max(0, Self.most - state.spans.count)
      state.spans.prepend(contentsOf: spans.prefix(space))
      state.statistics.dropped += max(0, spans.count - space)
    }
  }

  func exported(_ count: Int) { state.withLock { $0.statistics.exported += count } }
  func dropped(_ count: Int) { state.withLock { $0.statistics.dropped += count } }
  func failed() { state.withLock { $0.statistics.failures += 1 } }

  var statistics: Statistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.waiting = state.spans.count
      return statistics
    }
  }
}
