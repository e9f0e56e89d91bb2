import AgentJSON
import Synchronization
import TestSupport
import Testing

@testable import AgentEvents

/// How long publishers wait for a subscriber, and what the subscriptions of one worker share.
@Suite(.timeLimit(.minutes(5))) struct BlockingSubscriptionTests {
  /// Pauses that end when a test says so.
  private final class Pauses: Sendable {
    private let state = Mutex<(lengths: [Duration], waiting: [CheckedContinuation<Void, Never>])>(
      ([], []))

    var lengths: [Duration] { state.withLock { $0.lengths } }

    func pause(_ length: Duration) async {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          state.lengths.append(length)
          state.waiting.append(continuation)
        }
      }
    }

    /// Waits for a pause, and ends all.
    func end(after count: Int) async throws {
      try await wait(while: lengths.count < count)
      for waiter in state.withLock({ state in
        defer { state.waiting = [] }
        return state.waiting
      }) { waiter.resume() }
    }
  }

  private let all: EventQuery

  init() throws { all = try EventQuery(parsing: "n") }

  @Test func `a publisher waits half a minute for a subscriber that takes nothing`() async throws {
    let pauses = Pauses()
    let bus = EventBus(pause: { await pauses.pause($0) }, now: { 5 })
    let slow = bus.subscribe(to: all, capacity: 2, overflow: .block) { _ in }
    let answers = Announcements()
    try bus.publish(numbered(1...4), source: "s") { _ in answers.add() }
    try bus.publish(numbered(5...5), source: "s") { _ in answers.add() }
    #expect(answers.total == 0 && slow.waiting == 5)
    try await pauses.end(after: 1)
    try await wait(while: answers.total < 2)
    #expect(pauses.lengths == [.seconds(30)])
    // Nobody waits any more, and the oldest events are lost and counted.
    try bus.publish(numbered(6...7), source: "s") { _ in answers.add() }
    #expect(answers.total == 3)
    let (events, dropped) = slow.take(.max)
    #expect(events.compactMap { $0.field("n")?.int } == [6, 7] && dropped == 5)
    // There is space again, so publishers wait again.
    try bus.publish(numbered(8...10), source: "s") { _ in answers.add() }
    #expect(answers.total == 3 && slow.waiting == 3)
    bus.unsubscribe(slow)
    #expect(answers.total == 4)
    try await pauses.end(after: 2)
  }

  @Test func `a wait that has ended doesn't cost a later one its events`() async throws {
    let pauses = Pauses()
    let bus = EventBus(pause: { await pauses.pause($0) }, now: { 5 })
    let slow = bus.subscribe(to: all, capacity: 2, overflow: .block) { _ in }
    try bus.publish(numbered(1...3), source: "s") { _ in }
    try await wait(while: pauses.lengths.count < 1)
    #expect(slow.take(.max).events.count == 3)
    let answers = Announcements()
    try bus.publish(numbered(4...6), source: "s") { _ in answers.add() }
    try await wait(while: pauses.lengths.count < 2)
    // The first pause belongs to the wait that is over.
    let late = bus.subscribe(to: all, capacity: 1, overflow: .block) { _ in }
    slow.giveUp(1)
    #expect(answers.total == 0 && slow.waiting == 3)
    slow.giveUp(2)
    #expect(answers.total == 1 && slow.waiting == 2)
    bus.unsubscribe(late)
    try await pauses.end(after: 2)
  }

  // MARK: What a worker's subscriptions share

  /// An event of 4 MiB that isn't stored.
  private func event() throws -> Event {
    let object: JSONObject = ["type": "n", "text": .string(String(repeating: "x", count: 4 << 20))]
    var draft = try EventDraft(checking: object, source: "m", now: 1)
    _ = draft.encode()
    return Event(draft, position: 1, isStored: false)
  }

  private func subscription(
    _ overflow: EventOverflow, of budget: StreamBudget, isBehind: Bool = false
  ) -> EventSubscription {
    EventSubscription(
      query: all, capacity: 100_000, overflow: overflow, position: 0, isBehind: isBehind,
      account: budget.account()
    ) { _ in }
  }

  @Test(arguments: [EventOverflow.dropOldest, .dropNewest, .block, .readLog])
  func `the subscriptions of one worker share a budget`(overflow: EventOverflow) throws {
    let budget = EventBus(now: { 5 }).subscriptionBudget()
    let subscriptions = (0..<30).map { _ in subscription(overflow, of: budget) }
    let event = try event()
    for _ in 0..<4 { for one in subscriptions { _ = one.offer(EventRun([event])) } }
    let most = StreamBudget.maxWorkerBytes + StreamBudget.reserve
    #expect(budget.bytes <= most && budget.bytes > StreamBudget.maxWorkerBytes / 2)
    for one in subscriptions { _ = one.take(.max) }
    #expect(budget.bytes <= StreamBudget.reserve)
    for one in subscriptions { _ = one.close() }
    #expect(budget.bytes == 0)
  }

  @Test func `a subscription that is read gets its events while another holds all it may`() throws {
    let budget = EventBus(now: { 5 }).subscriptionBudget()
    let (hoarder, reader) = (
      subscription(.dropOldest, of: budget), subscription(.dropOldest, of: budget)
    )
    let event = try event()
    for _ in 0..<20 { _ = hoarder.offer(EventRun([event])) }
    for _ in 0..<5 {
      _ = reader.offer(EventRun([event]))
      let (events, dropped) = reader.take(.max)
      #expect(events.count == 1 && dropped == 0)
    }
    #expect(hoarder.waiting == 15)
  }

  @Test func `events that wait until the log is read count as well`() throws {
    let budget = EventBus(now: { 5 }).subscriptionBudget()
    let subscriptions = (0..<30).map { _ in subscription(.readLog, of: budget, isBehind: true) }
    let event = try event()
    for _ in 0..<4 { for one in subscriptions { _ = one.offer(EventRun([event])) } }
    #expect(budget.bytes <= StreamBudget.maxWorkerBytes + StreamBudget.reserve)
  }
}
