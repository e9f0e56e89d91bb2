import AgentJSON
import AgentStore
import Synchronization
import TestSupport
import Testing

@testable import AgentEvents

/// A store whose next writes fail.
private final class FlakyStore: Store {
  struct Failure: Error {}

  private let base: SQLiteStore
  private let failures: Mutex<Int>
  var condition: StoreCondition { base.condition }
  var statistics: StoreStatistics { base.statistics }

  init(_ base: SQLiteStore, failures: Int) {
    self.base = base
    self.failures = Mutex(failures)
  }

  func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let fails = failures.withLock { failures in
      defer { failures -= 1 }
      return failures > 0
    }
    fails ? completion(.failure(Failure())) : base.submit(kind, body, completion: completion)
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value { try await base.read(body) }

  func close() async { await base.close() }
}

/// Lets pauses end when a test says so.
private final class HeldPauses: Sendable {
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  func pause() async {
    await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
  }

  func open() async throws {
    try await wait(while: waiting.withLock({ $0.isEmpty }))
    for waiter in waiting.withLock({ waiting in
      defer { waiting = [] }
      return waiting
    }) { waiter.resume() }
  }
}

@Suite(.timeLimit(.minutes(5))) struct PublishingOrderTests {
  private func bus(failing failures: Int, _ gate: HeldPauses) async throws -> (EventBus, LogFixture)
  {
    let fixture = try LogFixture()
    let (_, store) = try await fixture.open()
    let bus = EventBus(pause: { _ in await gate.pause() }, now: { 1_000_000 })
    try await bus.open(FlakyStore(store, failures: failures))
    return (bus, fixture)
  }

  private func numbers(_ bus: EventBus) async throws -> [Int] {
    try await bus.events(matching: EventQuery(parsing: "n")).events.compactMap {
      $0.field("n")?.int
    }
  }

  @Test(arguments: [1, 3]) func `a batch that fails isn't overtaken by those after it`(
    failures: Int
  ) async throws {
    let gate = HeldPauses()
    let (bus, fixture) = try await bus(failing: failures, gate)
    defer { withExtendedLifetime(fixture) {} }
    let (stored, tell) = AsyncStream<Int>.makeStream()
    for n in 1...5 {
      try bus.publishPatiently(numbered(n...n), source: "m") { isStored in
        if isStored { tell.yield(n) }
      }
    }
    for _ in 0..<failures { try await gate.open() }
    var told: [Int] = []
    for await n in stored {
      told.append(n)
      if told.count == 5 { break }
    }
    #expect(told == [1, 2, 3, 4, 5])
    #expect(try await numbers(bus) == [1, 2, 3, 4, 5])
  }

  @Test func `another source's events don't wait for a source that is held up`() async throws {
    let gate = HeldPauses()
    let (bus, fixture) = try await bus(failing: 1, gate)
    defer { withExtendedLifetime(fixture) {} }
    try bus.publishPatiently(numbered(1...1), source: "m") { _ in }
    try bus.publishPatiently(numbered(2...2), source: "m") { _ in }
    await withCheckedContinuation { continuation in
      try? bus.publishPatiently(numbered(3...3), source: "other") { _ in continuation.resume() }
    }
    #expect(try await numbers(bus) == [3])
    try await gate.open()
    try await wait(while: try await numbers(bus).count < 3)
    #expect(try await numbers(bus) == [3, 1, 2])
  }

  @Test func `each batch is reported once as failed when the log closes`() async throws {
    let gate = HeldPauses()
    let (bus, fixture) = try await bus(failing: 0, gate)
    defer { withExtendedLifetime(fixture) {} }
    try await bus.log().close()
    let told = Mutex<[Bool]>([])
    for n in 1...3 {
      try bus.publishPatiently(numbered(n...n), source: "m") { isStored in
        told.withLock { $0.append(isStored) }
      }
    }
    try await wait(while: told.withLock({ $0.count }) < 3)
    #expect(told.withLock(\.self) == [false, false, false])
  }
}

/// How many bytes may wait, besides how many events.
@Suite(.timeLimit(.minutes(5))) struct SubscriptionBytesTests {
  /// One event of 8 MiB that isn't stored, which counts each time that it is delivered.
  private func event() throws -> Event {
    let object: JSONObject = ["type": "n", "text": .string(String(repeating: "x", count: 8 << 20))]
    var draft = try EventDraft(checking: object, source: "m", now: 1)
    _ = draft.encode()
    return Event(draft, position: 1, isStored: false)
  }

  private func subscription(_ overflow: EventOverflow) throws -> EventSubscription {
    EventSubscription(
      query: try EventQuery(parsing: "n"), capacity: 100_000, overflow: overflow, position: 0,
      isBehind: false
    ) { _ in }
  }

  @Test(arguments: [EventOverflow.dropOldest, .dropNewest])
  func `a queue stays within its byte limit, whatever its capacity`(
    overflow: EventOverflow
  ) throws {
    let subscription = try subscription(overflow)
    let event = try event()
    for _ in 0..<10 { _ = subscription.offer(EventRun([event])) }
    #expect(subscription.waiting == 7)
    _ = subscription.offer(EventRun([event, event, event]))
    #expect(subscription.waiting == 7)
    let (events, dropped) = subscription.take(.max)
    #expect(events.count == 7 && dropped == 6)
    _ = subscription.offer(EventRun([event]))
    #expect(subscription.waiting == 1)
  }

  @Test func `publishers also wait for space in bytes`() throws {
    let subscription = try subscription(.block)
    let event = try event()
    for _ in 0..<7 { #expect(!subscription.offer(EventRun([event])).isFull) }
    #expect(subscription.offer(EventRun([event])).isFull)
  }

  @Test func `a batch is bounded in bytes but has at least one event`() throws {
    let subscription = try subscription(.dropOldest)
    let event = try event()
    for _ in 0..<3 { _ = subscription.offer(EventRun([event])) }
    #expect(subscription.take(512, bytes: 1 << 20).events.count == 1)
    #expect(subscription.take(512, bytes: 9 << 20).events.count == 2)
    #expect(subscription.take(512, bytes: 1 << 20).events.isEmpty)
  }
}
