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

  @Test func `a type that is declared later stays the host's, whoever has a bot for it`()
    async throws
  {
    var test = try await started()
    test.engine.executor.answerAlways(.succeeded("by the host"))
    func declare(_ type: String, source: String) {
      var plan = test.engine.engine.plan
      plan.types[type] = TaskType(
        name: type, description: "", source: source, executor: test.engine.executor)
      test.engine.engine.apply(plan)
    }
    let shop = TaskAuthority.module("shop", granted: [], as: "process:front")
    _ = try await test.dispatcher.register(bot("deploy", "paint"), id: "op", by: Self.operator)
    _ = try await test.dispatcher.register(bot("paint"), id: "shop", by: shop)
    // Nothing declares it: the bot does it.
    _ = try await test.engine.create(type: "deploy")
    #expect(try await test.offer(to: "op").bot == "op")
    for restarts in [false, true] {
      declare("deploy", source: "settings")
      let task = try await test.engine.create("secret", type: "deploy")
      _ = try await test.engine.reached(task.id, .succeeded)
      #expect(test.engine.executor.begun.contains("secret"))
      #expect(
        try test.dispatcher.bot("op")["withheld_task_types"]?.array?.contains("deploy") == true)
      // Nor by hand, nor where another bot may have it.
      let other = try await test.engine.create(type: "deploy") { $0.waits = true }
      #expect(
        await refusal {
          _ = try await test.dispatcher.assign(other.id, to: "op", by: Self.operator)
        } == .conflict)
      // The module's own type is its bot's, and not that of others.
      declare("paint", source: "shop")
      let paint = try await test.engine.create(type: "paint")
      #expect(try await test.offer(to: "shop").task == paint.id)
      if restarts { break }
      let offer = try await test.offer(to: "shop")
      _ = try await test.dispatcher.complete(offer.id, TaskDispatcher.Ending(), by: "person:root")
      await test.stop()
      test = try await DispatcherUnderTest.started(after: test)
      test.engine.executor.answerAlways(.succeeded("by the host"))
      // Its worker has started, too.
      _ = try await test.dispatcher.register(bot("paint"), id: "shop", by: shop)
    }
    // An administrator may have a bot do it.
    _ = try await test.dispatcher.register(bot("deploy"), id: "root", by: "person:root")
    let task = try await test.engine.create(type: "deploy")
    #expect(try await test.offer(to: "root").task == task.id)
    await test.remove()
  }

  @Test func `a bot with much data is refused, and one that is stored continues without it`()
    async throws
  {
    let test = try await started()
    var large = bot("bots")
    large.metadata = ["x": .string(String(repeating: "x", count: 16 << 10)), "user": "bob"]
    let report = JSONValue.object(large.json)
    for who in ["person:root", Self.operator] as [TaskAuthority] {
      await #expect {
        _ = try await test.dispatcher.register(large, by: who)
      } throws: {
        ($0 as? TaskError)?.code == .invalid && "\($0)".contains("may have 16384")
      }
    }
    let id = try await test.dispatcher.register(bot("bots"), by: Self.operator)["id"]?.string ?? ""
    #expect(
      await refusal { _ = try await test.dispatcher.update(id, large, by: Self.operator) }
        == .invalid)
    // As a former version has stored it.
    try await test.engine.store.write { transaction in
      guard var row = try transaction.bots.bot(id) else { return }
      row.definition = report.bytes()
      try transaction.bots.put(row)
    }
    await test.stop()
    let next = try await DispatcherUnderTest.started(after: test)
    #expect(next.dispatcher.definition(of: id)?.metadata == ["user": "bob"])
    #expect(next.dispatcher.definition(of: id)?.name == "t")
    await next.remove()
  }

  @Test func `the bots of an owner have limits of number and bytes, and those of all another`()
    async throws
  {
    let test = try await DispatcherUnderTest.started {
      ($0.maxBots, $0.maxBotsEach, $0.maxBytesEach) = (5, 2, 2_000)
    }
    let other = TaskAuthority.restricted(as: "program:other", operates: true)
    // At the same moment: none is stored yet when the next one is counted.
    let stored = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<6 {
        group.addTask {
          (try? await test.dispatcher.register(self.bot("bots"), by: Self.operator)) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(stored == 2)
    await #expect {
      _ = try await test.dispatcher.register(bot("bots"), by: Self.operator)
    } throws: {
      "\($0)".contains("program:op has registered 2 bots, and may have at most 2. Unregister some")
    }
    // Bytes count too, and those of an earlier definition don't.
    var large = bot("bots")
    large.metadata = ["x": .string(String(repeating: "x", count: 1_500))]
    let id = try await test.dispatcher.register(large, by: other)["id"]?.string ?? ""
    #expect(await refusal { _ = try await test.dispatcher.register(large, by: other) } == .conflict)
    #expect(await refusal { _ = try await test.dispatcher.update(id, large, by: other) } == nil)
    _ = try await test.dispatcher.update(id, bot("bots"), by: other)
    _ = try await test.dispatcher.register(large, by: other)
    // An administrator has the limit of all alone.
    let last = try await test.dispatcher.register(large, by: "person:root")["id"]?.string ?? ""
    await #expect {
      _ = try await test.dispatcher.register(bot("bots"), by: "person:root")
    } throws: {
      "\($0)".contains("bots.max")
    }
    // The place of one that is unregistered is free, also after a restart.
    try await test.dispatcher.unregister(last, by: "person:root")
    await test.stop()
    let next = try await DispatcherUnderTest.started(after: test) {
      ($0.maxBots, $0.maxBotsEach) = (5, 2)
    }
    #expect(
      await refusal { _ = try await next.dispatcher.register(bot("bots"), by: Self.operator) }
        == .conflict)
    try await next.dispatcher.unregister(id, by: other)
    _ = try await next.dispatcher.register(bot("bots"), by: other)
    await next.remove()
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
