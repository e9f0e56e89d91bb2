internal import Synchronization

/// Passes elements on one at a time. Each `put` waits until its element is taken, so that a
/// producer doesn't run ahead. Any number of tasks may put; one takes.
final class Rendezvous<Element: Sendable>: Sendable {
  private typealias Taker = CheckedContinuation<Element?, any Error>
  private typealias Offer = (element: Element, taken: CheckedContinuation<Bool, Never>)

  private enum End {
    case finished
    case failed(any Error)
  }

  private enum Step {
    case refuse, wait
    case hand(Taker)
  }

  private struct State {
    var offers: [Offer] = []
    var taker: Taker?
    var end: End?
  }

  private let state = Mutex(State())

  /// Waits until the element is taken; false if nobody will take it any more.
  func put(_ element: Element) async -> Bool {
    await withCheckedContinuation { (taken: CheckedContinuation<Bool, Never>) in
      let step = state.withLock { state -> Step in
        if state.end != nil { return .refuse }
        if let taker = state.taker.take() { return .hand(taker) }
        state.offers.append((element, taken))
        return .wait
      }
      switch step {
      case .refuse: taken.resume(returning: false)
      case .wait: break
      case .hand(let taker):
        taker.resume(returning: element)
        taken.resume(returning: true)
      }
    }
  }

  /// The next element; `nil` after the end. Elements offered before the end are still returned.
  func take() async throws -> Element? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { taker in
        let now = state.withLock { state -> (offer: Offer?, end: End?) in
          if !state.offers.isEmpty { return (state.offers.removeFirst(), nil) }
          if state.end == nil { state.taker = taker }
          return (nil, state.end)
        }
        if let offer = now.offer {
          taker.resume(returning: offer.element)
          offer.taken.resume(returning: true)
        } else {
          Self.resume(taker, now.end)
        }
      }
    } onCancel: {
      finish(throwing: CancellationError())
    }
  }

  /// Ends it; only the first end counts.
  func finish(throwing error: (any Error)? = nil) {
    let (taker, end) = state.withLock { state in
      if state.end == nil { state.end = error.map(End.failed) ?? .finished }
      return (state.taker.take(), state.end)
    }
    if let taker { Self.resume(taker, end) }
  }

  /// Ends it, and resumes every task that waits in `put`.
  func close() {
    finish()
    let offers = state.withLock { state in
      defer { state.offers = [] }
      return state.offers
    }
    offers.forEach { $0.taken.resume(returning: false) }
  }

  private static func resume(_ taker: Taker, _ end: End?) {
    switch end {
    case nil: break
    case .finished: taker.resume(returning: nil)
    case .failed(let error): taker.resume(throwing: error)
    }
  }
}
