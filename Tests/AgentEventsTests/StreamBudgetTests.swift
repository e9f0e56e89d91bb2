import AgentJSON
import AgentStore
import Synchronization
import Testing

@testable import AgentEvents

@Suite(.timeLimit(.minutes(5))) struct StreamBudgetTests {
  /// A budget of 100 bytes, a clock, and pauses that a test ends.
  private final class Scene: Sendable {
    let time: Time
    let budget: StreamBudget
    let pauses: AsyncStream<Duration>
    let rounds: AsyncStream<Void>.Continuation

    init() {
      let (pauses, paused) = AsyncStream.makeStream(of: Duration.self)
      let (ends, rounds) = AsyncStream.makeStream(of: Void.self)
      (self.pauses, self.rounds) = (pauses, rounds)
      let time = Time()
      self.time = time
      budget = StreamBudget(
        maxBytes: 100, maxReads: 1,
        pause: { duration in
          paused.yield(duration)
          for await _ in ends { return }
        }, now: { time.now.withLock(\.self) })
    }
  }

  private final class Time: Sendable {
    let now = Mutex(Duration.zero)
  }

  @Test func `the largest stream that isn't read is ended when all hold too much`() async throws {
    let scene = Scene()
    let (ends, ended) = AsyncStream.makeStream(of: String.self)
    let small = scene.budget.account { ended.yield("small") }
    let large = scene.budget.account { ended.yield("large") }
    let read = scene.budget.account { ended.yield("read") }
    small.began(writing: 10)
    large.began(writing: 10)
    large.hold(30)
    read.began(writing: 60)
    read.wrote()
    read.hold(60)
    var pauses = scene.pauses.makeAsyncIterator()
    #expect(await pauses.next() == Duration.seconds(2))
    scene.time.now.withLock { $0 = .seconds(2) }
    scene.rounds.yield()
    var reading = ends.makeAsyncIterator()
    // The one that its client reads isn't ended, although it holds the most.
    #expect(await reading.next() == "large")
    large.close()
    ended.finish()
    #expect(await reading.next() == nil)
    withExtendedLifetime((small, read)) {}
  }

  @Test func `the slowest client makes way when all take a little from time to time`() async throws
  {
    let scene = Scene()
    let (ends, ended) = AsyncStream.makeStream(of: String.self)
    let slow = scene.budget.account { ended.yield("slow") }
    let slower = scene.budget.account { ended.yield("slower") }
    slow.began(writing: 80)
    slower.began(writing: 60)
    var pauses = scene.pauses.makeAsyncIterator()
    for second in 1...5 {
      _ = await pauses.next()
      scene.time.now.withLock { $0 = .seconds(2 * second) }
      // Neither stalls: both take some bytes before each look.
      slow.began(writing: 80 - 3 * second)
      slower.began(writing: 60 - second)
      scene.rounds.yield()
    }
    var reading = ends.makeAsyncIterator()
    #expect(await reading.next() == "slower")
    slower.close()
    ended.finish()
    #expect(await reading.next() == nil)
    withExtendedLifetime(slow) {}
  }

  @Test func `streams read the log in turn, and while they hold little`() async throws {
    let budget = Scene().budget
    let account = budget.account {}
    await budget.beginRead()
    let turns = Mutex<[String]>([])
    account.hold(101)
    let second = Task {
      await budget.beginRead()
      turns.withLock { $0.append("second") }
      budget.endRead()
    }
    budget.endRead()
    turns.withLock { $0.append("held") }
    account.close()
    await second.value
    #expect(turns.withLock(\.self) == ["held", "second"])
  }

  @Test func `a client's stream keeps one large event in memory`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let text = String(repeating: "x", count: 700_000)
    for _ in 0..<3 {
      _ = try await bus.store([["type": "large", "text": .string(text)]], source: "s")
    }
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let subscription = bus.subscribe(
      to: try EventQuery(parsing: "*"), after: 0, overflow: .readLog,
      account: bus.streams.account {}
    ) { _ in arrived.yield() }
    var arriving = arrivals.makeAsyncIterator()
    for _ in 0..<3 {
      #expect(await arriving.next() != nil)
      #expect(subscription.waiting == 1)
      #expect(subscription.take(1).events.count == 1)
    }
    bus.unsubscribe(subscription)
    await store.close()
  }
}
