internal import AgentEvents
internal import AgentWorkerProtocol
internal import DequeModule
internal import Synchronization

/// The source of a durable consumer. It continues at the stored position of its name. When the
/// module acknowledges events, it stores the new position.
final class ConsumerSource: EventSource {
  private struct State {
    var subscription: EventSubscription?
    var failure: WorkerError?
    /// The positions of the events that were taken but not acknowledged, oldest first.
    var outstanding: Deque<UInt64> = []
    /// The acknowledged position, or `nil` if it is stored already or is being stored.
    var unwritten: UInt64?
    var isWriting = false
    var isEnded = false
  }

  /// The largest number of events that were taken but not acknowledged.
  static let maxOutstanding = FrameBounds.maxCapacity

  private let name: String
  private let services: WorkerServices
  private let process: String
  private let state = Mutex(State())

  init(
    name: String, query: EventQuery, request: Subscribe, services: WorkerServices,
    process: String, account: StreamAccount?, available: @escaping @Sendable () -> Void
  ) throws(WorkerError) {
    guard let consumer = request.consumer, !consumer.isEmpty, consumer.utf8.count <= 200 else {
      throw WorkerError(.invalidArgument, "The name of a consumer has 1 to 200 bytes.")
    }
    self.name = name
    self.services = services
    self.process = process
    Task {
      do {
        let subscription = try await services.events.consume(
          name, query, from: request.start == .oldest ? .oldest : .newest,
          capacity: request.capacity ?? 1024, account: account
        ) { _ in available() }
        opened(subscription)
      } catch {
        state.withLock { $0.failure = WorkerError(.failed, "\(error)") }
      }
      available()
    }
  }

  private func opened(_ subscription: EventSubscription) {
    let isEnded = state.withLock { state in
      state.subscription = subscription
      return state.isEnded
    }
    // The worker ended while the consumer was being opened.
    if isEnded { services.events.unsubscribe(subscription) }
  }

  func take(_ most: Int, bytes: Int) -> TakenEvents {
    state.withLock { state in
      if let failure = state.failure { return TakenEvents(end: .failure(failure)) }
      guard let subscription = state.subscription else { return TakenEvents() }
      // The number is limited, because a worker may grant any credit and never acknowledge an
      // event.
      let space = Self.maxOutstanding - state.outstanding.count
      let events = subscription.take(min(most, max(0, space)), bytes: bytes).events
      state.outstanding.append(contentsOf: events.lazy.map(\.position))
      return TakenEvents(
        events: events.map(\.encoded), hasMore: events.count < space && subscription.waiting > 0)
    }
  }

  func dealtWith(_ count: Int) {
    let writes = state.withLock { state in
      let count = min(max(0, count), state.outstanding.count)
      guard count > 0 else { return false }
      // The last event doesn't always have the largest position. An event that isn't stored has the
      // position of an older one.
      let furthest = state.outstanding.prefix(count).max() ?? 0
      state.unwritten = max(state.unwritten ?? 0, furthest)
      state.outstanding.removeFirst(count)
      // Only one task stores positions at a time, so that an older position never replaces a newer
      // one.
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if writes { Task { await write() } }
  }

  /// Stores the newest acknowledged position, and repeats this until no newer one exists.
  private func write() async {
    while let position = nextToWrite() {
      do {
        try await services.events.acknowledge(name, through: position)
      } catch {
        // The error isn't fatal, because delivery is at least once. The events after the stored
        // position are delivered again. The next write may succeed.
        services.log(
          WorkerLogRecord(
            process: process, level: .warning,
            message: "The position of \(name) can't be stored: \(error)"))
      }
    }
  }

  private func nextToWrite() -> UInt64? {
    state.withLock { state in
      defer { state.unwritten = nil }
      // Set under the same lock as the check. Otherwise a call of `dealtWith` in between would find
      // `isWriting` true although no task stores its position.
      if state.unwritten == nil { state.isWriting = false }
      return state.unwritten
    }
  }

  func end(continues: Bool) {
    let subscription = state.withLock { state in
      state.isEnded = true
      defer { state.subscription = nil }
      return state.subscription
    }
    if let subscription { services.events.unsubscribe(subscription) }
  }
}
