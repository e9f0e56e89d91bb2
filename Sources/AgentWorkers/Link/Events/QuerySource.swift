internal import AgentEvents
internal import AgentJSON
internal import AgentQueries
internal import AgentWorkerProtocol
internal import DequeModule
internal import Synchronization

/// The source of the messages of a running query. Up to 64 messages wait in its queue. No further
/// message is added when they have a megabyte. While the queue is full, the query pauses. Later it
/// reads from the log the events that came in the meantime.
final class QuerySource: EventSource {
  private struct State {
    var waiting: Deque<[UInt8]> = []
    var bytes = 0
    var end: Result<Void, WorkerError>?
    var isAnnounced = false
    var whenSpaceAvailable: CheckedContinuation<Void, Never>?
  }

  private static let capacity = 64
  private static let byteCapacity = 1 << 20
  private let outputs: QueryOutputs
  private let account: StreamAccount?
  private let available: @Sendable () -> Void
  private let state = Mutex(State())

  init(
    _ outputs: QueryOutputs, account: StreamAccount?, refusals: Refusals?,
    available: @escaping @Sendable () -> Void
  ) {
    self.outputs = outputs
    self.account = account
    self.available = available
    // Weak, so that the loop doesn't keep the source. When no other code holds the source, the loop
    // ends at the next message.
    Task { [weak self] in
      do {
        for try await element in outputs {
          guard case .message(let message) = element else { continue }
          if case .stop(reason: .limit) = message { refusals?.count("subscriptions") }
          guard let self else { return }
          await put(JSONValue.object(message.json).bytes())
        }
        self?.finish(.success(()))
      } catch {
        self?.finish(.failure(WorkerError(.failed, "\(error)")))
      }
    }
  }

  func take(_ most: Int, bytes: Int) -> TakenEvents {
    let (taken, waiter) = state.withLock { state in
      let count = min(max(0, most), Self.count(state.waiting, bytes: bytes))
      var taken = TakenEvents(events: Array(state.waiting.prefix(count)))
      state.waiting.removeFirst(count)
      let bytes = taken.events.reduce(0) { $0 + $1.count }
      state.bytes -= bytes
      account?.hold(-bytes)
      taken.hasMore = !state.waiting.isEmpty
      // The end is returned with the last messages and not before them.
      if !taken.hasMore {
        state.isAnnounced = false
        taken.end = state.end
      }
      return (taken, self.waiter(&state))
    }
    waiter?.resume()
    return taken
  }

  func dealtWith(_ count: Int) {}

  func end(continues: Bool) {
    outputs.end()
    finish(.success(()))
  }

  private func put(_ message: [UInt8]) async {
    let announces = state.withLock { state in
      guard state.end == nil else { return false }
      state.waiting.append(message)
      state.bytes += message.count
      account?.hold(message.count)
      defer { state.isAnnounced = true }
      return !state.isAnnounced
    }
    // Called before the wait for space. Otherwise no message would be taken, and space would never
    // become free.
    if announces { available() }
    await withCheckedContinuation { continuation in
      let hasSpace = state.withLock { state in
        // Checked under the lock that also stores the continuation. Otherwise space could become
        // free in between, and the continuation would never be resumed.
        if self.hasSpace(state) { return true }
        state.whenSpaceAvailable = continuation
        return false
      }
      if hasSpace { continuation.resume() }
    }
  }

  private func finish(_ end: Result<Void, WorkerError>) {
    let waiter = state.withLock { state in
      if state.end == nil { state.end = end }
      return self.waiter(&state)
    }
    waiter?.resume()
    available()
  }

  /// Returns the number of the first messages that together have at least `bytes` bytes, or the
  /// number of all messages if they have fewer.
  private static func count(_ messages: Deque<[UInt8]>, bytes: Int) -> Int {
    var sum = 0
    for (place, message) in messages.enumerated() {
      sum += message.count
      if sum >= bytes { return place + 1 }
    }
    return messages.count
  }

  private func hasSpace(_ state: State) -> Bool {
    if state.end != nil || state.waiting.isEmpty { return true }
    return state.waiting.count < Self.capacity && state.bytes < Self.byteCapacity
      && account?.hasSpace != false
  }

  private func waiter(_ state: inout State) -> CheckedContinuation<Void, Never>? {
    guard hasSpace(state) else { return nil }
    defer { state.whenSpaceAvailable = nil }
    return state.whenSpaceAvailable
  }
}
