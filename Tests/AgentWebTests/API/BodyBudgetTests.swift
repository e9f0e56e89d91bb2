import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import AgentWeb

@Suite(.timeLimit(.minutes(5))) struct BodyBudgetTests {
  /// A budget of 1 MiB, a clock, and pauses that a test ends.
  private final class Scene: Sendable {
    let budget: BodyBudget
    private let time: Time
    private let ends = Mutex<[String]>([])
    private let rounds: AsyncStream<Void>.Continuation

    private final class Time: Sendable {
      let now = Mutex(Duration.zero)
      let paused = Atomic(0)
    }

    init() {
      let (stream, rounds) = AsyncStream.makeStream(of: Void.self)
      self.rounds = rounds
      let time = Time()
      self.time = time
      budget = BodyBudget(
        maxBytes: 1 << 20,
        pause: { _ in
          time.paused.add(1, ordering: .relaxed)
          for await _ in stream { return }
        }, now: { time.now.withLock(\.self) })
    }

    var ended: [String] { ends.withLock { $0 } }
    /// How often the budget has begun to wait for its next look.
    var waits: Int { time.paused.load(ordering: .relaxed) }

    func share(_ name: String, of owner: String) -> BodyBudget.Share {
      budget.share(of: owner) { [weak self] in self?.ends.withLock { $0.append(name) } }
    }

    /// Waits until the budget waits for its next look, and passes the time until then.
    func look(_ number: Int, after time: Duration = BodyBudget.interval) async throws {
      try await wait(while: waits < number)
      self.time.now.withLock { $0 += time }
      rounds.yield()
    }
  }

  @Test func `bodies of all clients have one budget, and one that doesn't fit waits`() async throws
  {
    let scene = Scene()
    let shares = (0..<4).map { scene.share("\($0)", of: "p\($0)") }
    for share in shares { try await share.take(256 << 10) }
    #expect(scene.budget.bytes == 1 << 20)
    let late = scene.share("late", of: "late")
    let waiting = Task { try await late.take(1000) }
    shares[2].end()
    try await waiting.value
    #expect(scene.budget.bytes == 768 << 10 + 1000)
    late.end()
    for share in shares { share.end() }
    #expect(scene.budget.bytes == 0)
  }

  @Test func `one principal has half, and others go on`() async throws {
    let scene = Scene()
    let first = scene.share("first", of: "other")
    let greedy = scene.share("greedy", of: "greedy")
    try await greedy.take(512 << 10)
    let more = scene.share("more", of: "greedy")
    let waiting = Task { try await more.take(1) }
    try await first.take(400 << 10)
    greedy.end()
    try await waiting.value
    withExtendedLifetime(more) {}
  }

  @Test func `the slowest clients are disconnected first, and others receive their bodies`()
    async throws
  {
    let scene = Scene()
    let shares = (0..<4).map { scene.share("\($0)", of: "p\($0)") }
    for share in shares { try await share.take(255 << 10) }
    shares[3].received()
    let late = scene.share("late", of: "late")
    let waiting = Task { try await late.take(64 << 10) }
    try await wait(while: scene.waits == 0)
    // The second sends a little until the look, and the others nothing.
    try await shares[1].take(1 << 10)
    try await scene.look(1)
    try await wait(while: scene.ended.count < 2)
    #expect(scene.ended.first != "1" && scene.ended.contains("0") && !scene.ended.contains("3"))
    shares[0].end()
    try await waiting.value
    withExtendedLifetime(shares) {}
  }

  @Test func `a body that has waited too long is refused`() async throws {
    let scene = Scene()
    let first = scene.share("first", of: "a")
    try await first.take(1 << 20)
    first.received()
    let late = scene.share("late", of: "b")
    let waiting = Task { try await late.take(1) }
    try await scene.look(1, after: BodyBudget.patience)
    let error = await #expect(throws: APIProblem.self) { try await waiting.value }
    #expect(error?.code == "too_many_bodies" && error?.status == .serviceUnavailable)
    // One that is processed isn't disconnected.
    #expect(scene.ended.isEmpty)
    first.end()
    late.end()
    #expect(scene.budget.bytes == 0)
  }

  @Test func `the oldest body is received although it is larger than the budget`() async throws {
    let scene = Scene()
    let first = scene.share("first", of: "a")
    try await first.take(2 << 20)
    try await first.take(2 << 20)
    first.end()
    #expect(scene.budget.bytes == 0)
  }

  @Test func `a wait ends with the share of its body`() async throws {
    let scene = Scene()
    let first = scene.share("first", of: "a")
    try await first.take(1 << 20)
    let late = scene.share("late", of: "b")
    let waiting = Task { try await late.take(1000) }
    try await wait(while: scene.waits < 1)
    late.end()
    await #expect(throws: APIProblem.self) { try await waiting.value }
    #expect(scene.budget.bytes == 1 << 20)
    withExtendedLifetime(first) {}
  }

  @Test func `a cancelled request doesn't wait`() async throws {
    let scene = Scene()
    let first = scene.share("first", of: "a")
    try await first.take(1 << 20)
    let late = scene.share("late", of: "b")
    let waiting = Task { try await late.take(1) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    first.end()
  }

  @Test func `what is left of lines is counted, and what was taken isn't`() async throws {
    let scene = Scene()
    let share = scene.share("lines", of: "a")
    try await share.keep(1000)
    try await share.keep(10)
    #expect(scene.budget.bytes == 10)
    share.end()
    share.end()
    #expect(scene.budget.bytes == 0)
  }
}
