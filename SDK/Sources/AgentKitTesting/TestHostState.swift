internal import AgentKit
internal import Synchronization

/// The contents of a test host, and the tasks that wait for a change.
final class TestHostState: Sendable {
  struct Contents {
    var logs: [TestHost.Record] = []
    var events: [Event] = []
    var published: [Event] = []
    var heartbeats = 0
    var acknowledged = 0
    var refusal: ModuleError?
    var kept = TestState()
    var keepingRefusal: ModuleError?
    var measured = TestMetrics()
    var taskCalls: [TestHost.TaskCall] = []
    var answersTasks: TestHost.TaskAnswer?
    var subscriptions: [Int: Subscription] = [:]
    var queries: [Int: Query] = [:]
    var asked: [TestHost.Query] = []
    var nextSubscription = 0
    var runs = 0
    var ended: Set<Int> = []
  }

  struct Subscription {
    let query: TestQuery
    let stream: AsyncThrowingStream<EventBatch, any Error>.Continuation
  }

  /// A running query.
  struct Query {
    let text: String
    let stream: AsyncThrowingStream<EventBatch, any Error>.Continuation
  }

  private struct Waiter {
    let condition: @Sendable (Contents) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var contents = Contents()
    var waiters: [Waiter] = []
  }

  let process: String
  private let state = Mutex(State())

  init(process: String) {
    self.process = process
  }

  func read<R>(_ body: (Contents) -> R) -> R {
    state.withLock { body($0.contents) }
  }

  /// Changes the contents, and wakes the tasks whose condition now holds.
  func update<R>(_ body: (inout Contents) -> R) -> R {
    let (result, woken) = state.withLock { state in
      let result = body(&state.contents)
      let contents = state.contents
      let woken = state.waiters.filter { $0.condition(contents) }.map(\.continuation)
      state.waiters.removeAll { $0.condition(contents) }
      return (result, woken)
    }
    woken.forEach { $0.resume() }
    return result
  }

  func wait(until condition: @escaping @Sendable (Contents) -> Bool) async {
    await withCheckedContinuation { continuation in
      let holds = state.withLock { state in
        if condition(state.contents) { return true }
        state.waiters.append(Waiter(condition: condition, continuation: continuation))
        return false
      }
      if holds { continuation.resume() }
    }
  }

  func add(_ events: [Event], published: Bool) {
    let receivers = update { contents in
      contents.events += events
      if published { contents.published += events }
      return Array(contents.subscriptions.values)
    }
    for receiver in receivers {
      let matching = events.filter { receiver.query.matches($0) }
      if !matching.isEmpty { receiver.stream.yield(EventBatch(events: matching)) }
    }
  }
}
