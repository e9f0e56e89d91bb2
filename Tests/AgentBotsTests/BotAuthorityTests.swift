import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import Testing

/// A bot that takes a task sees its input and reports its result: both need permissions.
@Suite struct BotAuthorityTests {
  private static let `operator` = TaskAuthority.restricted(as: "program:op", operates: true)
  private static let caller = TaskAuthority.restricted(as: "program:c", operates: false)
  private static let ada = TaskAuthority.restricted(
    as: "person:ada", person: "ada", operates: false)

  private func started() async throws -> DispatcherUnderTest {
    let test = try await DispatcherUnderTest.started()
    var plan = test.engine.engine.plan
    for (name, source) in [
      ("command", "built-in"), ("http", "built-in"), ("report", "settings"), ("mine", "shop"),
      ("other", "market"),
    ] {
      plan.types[name] = TaskType(
        name: name, description: "", source: source, executor: test.engine.executor)
    }
    test.engine.engine.apply(plan)
    return test
  }

  private func bot(_ types: String..., webhook: BotWebhook? = nil) -> BotDefinition {
    var bot = BotDefinition(
      name: "t", capabilities: [BotCapability(name: "c", taskTypes: types)],
      maxConcurrentTasks: 10)
    bot.webhook = webhook
    return bot
  }

  private func refusal(_ work: () async throws -> Void) async -> TaskError.Code? {
    do {
      try await work()
      return nil
    } catch {
      return (error as? TaskError)?.code
    }
  }

  @Test func `a caller without full authority can't register a bot for the host's work`()
    async throws
  {
    let test = try await started()
    let module = TaskAuthority.module("shop", granted: [], as: "process:front")
    let granted = TaskAuthority.module("shop", granted: ["report"], as: "process:front")
    for (type, may) in [
      ("command", []), ("http", []), ("report", ["granted"]), ("mine", ["module", "granted"]),
      ("other", []), ("bots", ["operator", "module", "granted"]),
      ("unheard_of", ["operator", "module", "granted"]),
    ] as [(String, Set<String>)] {
      for (name, who) in [
        ("operator", Self.operator), ("module", module), ("granted", granted),
        ("administrator", .unrestricted(as: "person:root")),
      ] {
        let code = await refusal { _ = try await test.dispatcher.register(bot(type), by: who) }
        let isRight = name == "administrator" || may.contains(name)
        #expect(code == (isRight ? nil : .forbidden), "\(type) by \(name)")
      }
    }
    // The new type of the bot counts, not the former one.
    let own = try await test.dispatcher.register(bot("bots"), by: Self.operator)["id"]?.string ?? ""
    let code = await refusal {
      _ = try await test.dispatcher.update(own, bot("bots", "command"), by: Self.operator)
    }
    #expect(code == .forbidden)
    #expect(test.dispatcher.definition(of: own)?.capabilities.flatMap(\.taskTypes) == ["bots"])
    await test.remove()
  }

  @Test func `a caller needs the right to secrets to name a webhook's secret`() async throws {
    let test = try await started()
    let signed = bot("bots", webhook: BotWebhook(url: "https://example.org/", secret: "DB"))
    let plain = bot("bots", webhook: BotWebhook(url: "https://example.org/", secret: nil))
    #expect(
      await refusal { _ = try await test.dispatcher.register(signed, by: Self.operator) }
        == .forbidden)
    let id = try await test.dispatcher.register(plain, by: Self.operator)["id"]?.string ?? ""
    #expect(
      await refusal { _ = try await test.dispatcher.update(id, signed, by: Self.operator) }
        == .forbidden)
    _ = try await test.dispatcher.update(id, signed, by: "person:root")
    await test.remove()
  }

  @Test func `a bot acts for itself alone, and no bot acts for all`() async throws {
    let test = try await started()
    try await test.register("b1")
    try await test.register("b2")
    let own = TaskAuthority.bot("b1", as: "bot:b1")
    #expect(await refusal { _ = try await test.dispatcher.heartbeat("b1", by: own) } == nil)
    for work: @Sendable () async throws -> Void in [
      { _ = try await test.dispatcher.heartbeat("b2", by: own) },
      { _ = try await test.dispatcher.say("b2", .offline, by: own) },
      { _ = try await test.dispatcher.offers(to: "b2", milliseconds: 0, by: own) },
      { _ = try test.dispatcher.stream(of: "b2", after: 0, by: own) },
      { try await test.dispatcher.unregister("b2", by: own) },
      { _ = try await test.dispatcher.update("b2", BotDefinition(name: "x"), by: own) },
      { _ = try await test.dispatcher.register(BotDefinition(name: "x"), by: own) },
      { try await test.dispatcher.choose(strategy: "round_robin", by: own) },
      { _ = try await test.dispatcher.assign(1, to: nil, by: own) },
    ] {
      #expect(await refusal(work) == .forbidden)
    }
    let module = TaskAuthority.module("shop", granted: [], as: "process:front")
    #expect(
      await refusal { try await test.dispatcher.choose(strategy: "round_robin", by: module) }
        == .forbidden)
    try await test.dispatcher.choose(
      strategy: "round_robin",
      by: .module("shop", granted: ["assignment_strategy"], as: "process:front"))
    await test.remove()
  }

  @Test func `an offer to a person is answered by that person or an operator`() async throws {
    let test = try await started()
    try await test.register("ada", most: 10, type: .user)
    for who in [Self.ada, Self.operator] {
      _ = try await test.engine.create(type: "bots")
      let offer = try await test.offer(to: "ada")
      for other in [
        Self.caller, .restricted(as: "person:bob", person: "bob", operates: false),
        .bot("b", as: "bot:b"), .module("shop", granted: [], as: "process:front"),
      ] {
        #expect(
          await refusal { _ = try await test.dispatcher.accept(offer.id, lease: nil, by: other) }
            == .forbidden)
        #expect(
          await refusal {
            _ = try await test.dispatcher.complete(offer.id, TaskDispatcher.Ending(), by: other)
          } == .forbidden)
      }
      _ = try await test.dispatcher.accept(offer.id, lease: nil, by: who)
      _ = try await test.dispatcher.complete(offer.id, TaskDispatcher.Ending(), by: who)
    }
    await test.remove()
  }

  @Test func `a caller can't report the result of a program that they may not run`() async throws {
    let test = try await started()
    try await test.register("b1", for: ["command"])
    let task = try await test.engine.engine.create(
      TaskDraft(["name": "a", "run_command": "true", "status": "queued"]), by: "person:root"
    ).task
    let offer = try await test.offer(to: "b1")
    #expect(offer.task == task.id)
    #expect(
      await refusal { _ = try await test.dispatcher.accept(offer.id, lease: nil, by: Self.caller) }
        == .forbidden)
    _ = try await test.dispatcher.accept(offer.id, lease: nil, by: .bot("b1", as: "bot:b1"))
    await test.remove()
  }

  @Test func `a bot is unregistered in one commit with what depends on it`() async throws {
    let test = try await started()
    let ended = Mutex<[String]>([])
    test.dispatcher.alsoEnding { id, _ in
      if id == "b2" { throw TaskError(.conflict, "not now") }
      ended.withLock { $0.append(id) }
    }
    try await test.register("b1")
    try await test.register("b2")
    try await test.dispatcher.unregister("b1", by: nil)
    #expect(await refusal { try await test.dispatcher.unregister("b2", by: nil) } == .conflict)
    #expect(ended.withLock(\.self) == ["b1"])
    let left = try await test.engine.store.read { try $0.bots.bots().map(\.id) }
    #expect(left == ["b2"])
    await test.remove()
  }
}
