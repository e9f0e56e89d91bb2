import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import TestSupport
import Testing

/// Bots that get their offers through a webhook, and through a stream.
@Suite struct BotWebhookTests {
  /// The receiver of calls: what it was sent, and what it answers.
  private final class Receiver: Sendable {
    private struct State {
      var calls: [BotCall] = []
      var answers: [Result<JSONValue, BotUnreached>]
    }

    private let state: Mutex<State>
    init(_ answers: Result<JSONValue, BotUnreached>...) {
      state = Mutex(State(answers: answers))
    }

    var calls: [BotCall] { state.withLock { $0.calls } }

    /// Those that come after the last answer are taken.
    @Sendable func call(_ call: BotCall) async throws -> JSONValue {
      let answer = state.withLock { state in
        state.calls.append(call)
        return state.answers.isEmpty ? .success(.null) : state.answers.removeFirst()
      }
      return try answer.get()
    }
  }

  private func register(_ test: DispatcherUnderTest, _ id: String = "b1") async throws {
    _ = try await test.dispatcher.register(
      BotDefinition(
        name: id, capabilities: [BotCapability(name: "c", taskTypes: ["bots"])],
        webhook: BotWebhook(url: "https://example.org/hook", secret: "KEY")), id: id, by: "test")
  }

  @Test func `a webhook bot gets its offer and answers by requests`() async throws {
    let receiver = Receiver()
    let test = try await DispatcherUnderTest.started { $0.call = receiver.call }
    try await register(test)
    let task = try await test.engine.create(type: "bots")
    try await eventually("it was called") { receiver.calls.count == 1 }
    let call = receiver.calls[0]
    #expect(call.webhook == BotWebhook(url: "https://example.org/hook", secret: "KEY"))
    let offer = try await test.offer(to: "b1")
    #expect(call.id == "assignment-\(offer.id)" && call.offer["id"] == .string("\(offer.id)"))
    #expect(call.offer["task"]?["id"] == .string("\(task.id)"))
    _ = try await test.dispatcher.accept(offer.id, lease: nil, by: nil)
    _ = try await test.dispatcher.complete(offer.id, .init(), by: nil)
    #expect(try await test.engine.engine.task(task.id).state == .succeeded)
    #expect(receiver.calls.count == 1)
    await test.remove()
  }

  @Test func `a webhook's response counts like a request of the bot`() async throws {
    let receiver = Receiver(
      .success(["result": ["rows": 3]]), .success(["status": "rejected", "reason": "lunch"]),
      .success(["success": false, "error": "no", "final": true]),
      .success(["status": "accepted", "lease_ms": 5_000]))
    let test = try await DispatcherUnderTest.started { $0.call = receiver.call }
    try await register(test)
    let done = try await test.engine.create(type: "bots")
    let row = try await test.engine.reached(done.id, .succeeded)
    #expect(TaskReport(row).result?["output"] == ["rows": 3])
    let unwanted = try await test.engine.create(type: "bots")
    try await eventually("it is rejected") {
      let rows = try await test.dispatcher.assignments(.init(task: unwanted.id))
      return rows.first?.state == .rejected && rows.first?.note == "lunch"
    }
    let failed = try await test.engine.create(type: "bots")
    _ = try await test.engine.reached(failed.id, .failed)
    let begun = try await test.engine.create(type: "bots")
    _ = try await test.engine.reached(begun.id, .running)
    await test.remove()
  }

  @Test func `an unreachable webhook is retried with growing pauses until the offer ends`()
    async throws
  {
    let receiver = Receiver(
      .failure(BotUnreached("away")), .failure(BotUnreached("away", retryAfter: 20_000)))
    let test = try await DispatcherUnderTest.started { $0.call = receiver.call }
    try await register(test)
    _ = try await test.engine.create(type: "bots")
    try await eventually("it was tried") { receiver.calls.count == 1 }
    try await eventually("it is tried again") {
      test.engine.clock.advance(100)
      return receiver.calls.count == 2
    }
    let moment = test.engine.clock.now
    try await eventually("it is tried a third time") {
      test.engine.clock.advance(100)
      return receiver.calls.count == 3
    }
    #expect(test.engine.clock.now - moment >= 19_000, "It wanted to be left in peace.")
    #expect(Set(receiver.calls.map(\.id)).count == 1)
    await test.remove()
  }

  @Test func `a bot that can never be reached is in error, and others get its tasks`() async throws
  {
    let receiver = Receiver(.failure(BotUnreached("gone", isFinal: true)))
    let test = try await DispatcherUnderTest.started { $0.call = receiver.call }
    try await register(test)
    let task = try await test.engine.create(type: "bots")
    try await eventually("it is in error") { try test.dispatcher.bot("b1")["status"] == "error" }
    try await test.register("b2")
    #expect(try await test.offer(to: "b2").task == task.id)
    await test.remove()
  }

  @Test func `an unanswered offer is sent again after a restart with the same id`() async throws {
    let first = Receiver(.failure(BotUnreached("away")))
    let one = try await DispatcherUnderTest.started { $0.call = first.call }
    try await register(one)
    _ = try await one.engine.create(type: "bots")
    try await eventually("it was tried") { first.calls.count == 1 }
    await one.stop()
    let second = Receiver()
    let two = try await DispatcherUnderTest.started(after: one) { $0.call = second.call }
    try await eventually("it is told") { second.calls.count == 1 }
    #expect(second.calls[0].id == first.calls[0].id)
    await two.remove()
  }

  @Test func `a stream has the open offers and continues after the last one seen`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", most: 9)
    let first = try await test.engine.create(type: "bots")
    let stream = try test.dispatcher.stream(of: "b1", after: 0)
    var offers = stream.makeAsyncIterator()
    let one = try #require(try await offers.next())
    #expect(one.json["task"]?["id"] == .string("\(first.id)"))
    let second = try await test.engine.create(type: "bots")
    let two = try #require(try await offers.next())
    #expect(two.json["task_id"] == .string("\(second.id)") && two.number > one.number)
    stream.end()
    #expect(try await offers.next()?.number == nil)
    var later = try test.dispatcher.stream(of: "b1", after: one.number).makeAsyncIterator()
    #expect(try await later.next()?.number == two.number)
    await test.remove()
  }

  @Test func `an unassignable task is reported once, whatever restarts`() async throws {
    let first = try await DispatcherUnderTest.started()
    try await first.register("other", for: ["something"])
    let task = try await first.engine.create(type: "bots")
    _ = try await first.publishedEvents("task_unassignable")
    await first.stop()
    let second = try await DispatcherUnderTest.started(after: first)
    // Somebody can take the next one: when that is decided, so is the other.
    try await second.register("b1", for: ["else"])
    second.dispatcher.apply(second.dispatcher.plan)
    let next = try await second.engine.create(type: "bots") { $0.definition.bot = "b1" }
    _ = try await second.engine.engine.task(next.id)
    _ = try await second.publishedEvents("task_unassignable")
    #expect(second.count("task_unassignable") == 1)
    #expect(
      try await second.publishedEvents("task_unassignable")[0]["task_id"] == .string("\(next.id)"))
    // When somebody could, and can't any more, it is news again.
    try await second.register("b2")
    #expect(try await second.offer(to: "b2").task == task.id)
    await second.remove()
  }

  @Test func `the whole address is shown to administrators alone`() async throws {
    let test = try await DispatcherUnderTest.started()
    let url = "https://ada:pw@hooks.example.org:8443/T0/crown?key=jewel#x"
    let bot = BotDefinition(name: "b1", webhook: BotWebhook(url: url))
    let registered = try await test.dispatcher.register(
      bot, id: "b1", by: .unrestricted(as: "root"))
    #expect(registered["webhook"]?["url"] == .string(url))
    let shown: JSONValue = "https://hooks.example.org:8443"
    let reader = TaskAuthority.restricted(as: "program:r", operates: false)
    let `operator` = TaskAuthority.restricted(as: "program:o", operates: true)
    let own = TaskAuthority.bot("b1", as: "bot:b1")
    for asker in [TaskAuthority?.none, reader, `operator`, own] {
      #expect(try test.dispatcher.bot("b1", for: asker)["webhook"]?["url"] == shown)
      #expect(try test.dispatcher.bots(for: asker).first?["webhook"]?["url"] == shown)
    }
    let root = TaskAuthority.unrestricted(as: "root")
    #expect(try test.dispatcher.bots(for: root).first?["webhook"]?["url"] == .string(url))
    // Events are read by everybody.
    let told = try await test.publishedEvents("bot_registered")
    #expect(told.allSatisfy { $0["bot"]?["webhook"]?["url"] == shown })
    // What was shown and comes back changes nothing of the address.
    let same = BotDefinition(name: "b2", webhook: BotWebhook(url: "https://hooks.example.org:8443"))
    let updated = try await test.dispatcher.update("b1", same, by: `operator`)
    #expect(updated["name"] == "b2" && updated["webhook"]?["url"] == shown)
    #expect(try test.dispatcher.bot("b1", for: root)["webhook"]?["url"] == .string(url))
    await test.remove()
  }

  @Test(arguments: [
    ("http://h", "http://h"), ("https://h/?a", "https://h"), ("https://h?a@b", "https://h"),
    ("https://a@b@h#x", "https://h"), ("https://h\\@k", "https://h"), ("nothing", ""),
    ("https://[::1]:80/x", "https://[::1]:80"),
  ])
  func `an address's scheme, host and port are no secret`(url: String, origin: String) {
    #expect(BotWebhook(url: url).origin == origin)
  }
}
