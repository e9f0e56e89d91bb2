internal import AgentEvents
internal import AgentWorkerProtocol
internal import DequeModule
internal import Synchronization

/// A durable consumer: it continues at the stored position of its name, and stores the position as
/// the module acknowledges events.
final class ConsumerSource: EventSource {
  private struct State {
    var subscription: EventSubscription?
    var failure: WorkerError?
    /// The positions of what was taken and isn't dealt with, oldest first.
    var outstanding: Deque<UInt64> = []
    /// How far it has come, where that isn't written down yet.
    var unwritten: UInt64?
    var isWriting = false
    var isEnded = false
  }

  /// How many events may be out that the module hasn't dealt with.
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
    // The worker ended while the consumer was opened.
    if isEnded { services.events.unsubscribe(subscription) }
  }

  func take(_ most: Int, bytes: Int) -> TakenEvents {
    state.withLock { state in
      if let failure = state.failure { return TakenEvents(end: .failure(failure)) }
      guard let subscription = state.subscription else { return TakenEvents() }
      // A worker may grant any credit and never say that it is done.
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
      // Not always the last: one that isn't stored has the place of an older one.
      let furthest = state.outstanding.prefix(count).max() ?? 0
      state.unwritten = max(state.unwritten ?? 0, furthest)
      state.outstanding.removeFirst(count)
      // One writer at a time: positions must not overtake one another.
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if writes { Task { await write() } }
  }

  /// Writes down how far it has come, the newest only, until there is nothing newer.
  private func write() async {
    while let position = nextToWrite() {
      do {
        try await services.events.acknowledge(name, through: position)
      } catch {
        // Events after the stored position come again: delivery is at least once. The next write
        // may work.
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
      // Under the same lock as the look: an acknowledgement in between would find a writer that has
      // stopped.
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
