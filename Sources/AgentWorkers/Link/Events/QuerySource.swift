internal import AgentEvents
internal import AgentJSON
internal import AgentQueries
internal import AgentWorkerProtocol
internal import DequeModule
internal import Synchronization

/// The messages of a running query. Up to 64 wait here. While the queue is full the query pauses,
/// and afterwards reads from the log what came meanwhile.
final class QuerySource: EventSource {
  private struct State {
    var waiting: Deque<[UInt8]> = []
    var end: Result<Void, WorkerError>?
    var isAnnounced = false
    var whenSpaceAvailable: CheckedContinuation<Void, Never>?
  }

  private static let capacity = 64
  private let outputs: QueryOutputs
  private let available: @Sendable () -> Void
  private let state = Mutex(State())

  init(_ outputs: QueryOutputs, available: @escaping @Sendable () -> Void) {
    self.outputs = outputs
    self.available = available
    // Weak: a source that nobody holds any more ends the loop at the next message.
    Task { [weak self] in
      do {
        for try await element in outputs {
          guard case .message(let message) = element else { continue }
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
      taken.hasMore = !state.waiting.isEmpty
      // The end comes with the last messages and not before them.
      if !taken.hasMore {
        state.isAnnounced = false
        taken.end = state.end
      }
      return (taken, Self.waiter(&state))
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
      defer { state.isAnnounced = true }
      return !state.isAnnounced
    }
    // Before the wait for space, or nobody would come to make some.
    if announces { available() }
    await withCheckedContinuation { continuation in
      let hasSpace = state.withLock { state in
        // Asked under the lock that stores the continuation: space that is made in between would
        // wake nobody.
        if Self.hasSpace(state) { return true }
        state.whenSpaceAvailable = continuation
        return false
      }
      if hasSpace { continuation.resume() }
    }
  }

  private func finish(_ end: Result<Void, WorkerError>) {
    let waiter = state.withLock { state in
      if state.end == nil { state.end = end }
      return Self.waiter(&state)
    }
    waiter?.resume()
    available()
  }

  /// How many messages come before this many bytes are there, the last one included.
  private static func count(_ messages: Deque<[UInt8]>, bytes: Int) -> Int {
    var sum = 0
    for (place, message) in messages.enumerated() {
      sum += message.count
      if sum >= bytes { return place + 1 }
    }
    return messages.count
  }

  private static func hasSpace(_ state: State) -> Bool {
    state.end != nil || state.waiting.count < capacity
  }

  private static func waiter(_ state: inout State) -> CheckedContinuation<Void, Never>? {
    guard hasSpace(state) else { return nil }
    defer { state.whenSpaceAvailable = nil }
    return state.whenSpaceAvailable
  }
}
