import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// A task that nobody can take doesn't hold back the tasks behind it.
@Suite struct BotScanTests {
  @Test
  func `a task behind a full scan of unassignable ones gets its bot`() async throws {
    let test = try await DispatcherUnderTest.started { $0.maxAtOnce = 10 }
    for _ in 0..<35 {
      _ = try await test.engine.create(type: "bots") { $0.definition.capability = "none" }
    }
    let last = try await test.engine.create(type: "bots")
    try await test.register("b1", most: 2)
    #expect(try await test.offer(to: "b1").task == last.id)
    // Also what comes later, and goes first.
    let next = try await test.engine.create(type: "bots") { $0.priority = 1_000 }
    try await eventually("the next has its bot") {
      try await test.engine.engine.task(next.id).state == .assigned
    }
    await test.remove()
  }

  @Test func `no type is unknown while the bots aren't known yet`() async throws {
    let test = try await EngineUnderTest.started()
    let clock = test.clock
    let dispatcher = TaskDispatcher(
      tasks: test.engine, pause: { try await clock.pause($0) }, now: { clock.now },
      log: { _, _ in }, publish: { _ in })
    await #expect {
      _ = try await test.create(type: "something")
    } throws: {
      ($0 as? TaskError)?.code == .notReady
    }
    let store = test.store
    let running = Task { try await dispatcher.run(store) }
    try await eventually("it is unknown") {
      do { _ = try await test.create(type: "something") } catch let error as TaskError {
        return error.code == .invalid
      }
      return false
    }
    running.cancel()
    _ = try? await running.value
    await test.remove()
  }

  @Test func `a rate makes bots' tasks start one after the other`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", most: 10)
    var tasks: [TaskRow] = []
    for _ in 0..<3 {
      tasks.append(
        try await test.engine.create(type: "bots") {
          $0.definition.rate = TaskRate(clamping: 1, period: 1_000)
        })
    }
    for (place, task) in tasks.enumerated() {
      try await eventually("task \(place) is assigned") {
        if place > 0 { test.engine.clock.advance(100) }
        return try await test.engine.engine.task(task.id).state == .assigned
      }
    }
    let given = try await test.dispatcher.assignments(AssignmentSelection(bot: "b1"))
    let times = given.map(\.created).sorted()
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1_000 })
    await test.remove()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a task that its bots have rejected holds up no other one of its rate`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", most: 10)
    func create() async throws -> TaskRow {
      try await test.engine.create(type: "bots") {
        $0.definition.rate = TaskRate(clamping: 1, period: 1_000)
      }
    }
    let first = try await create()
    let offer = try await test.offer(to: "b1")
    #expect(offer.task == first.id)
    let (second, third) = (try await create(), try await create())
    _ = try await test.dispatcher.reject(offer.id, reason: "no", by: nil)
    for task in [second, third] {
      try await eventually("task \(task.id) is assigned") {
        test.engine.clock.advance(100)
        return try await test.engine.engine.task(task.id).state == .assigned
      }
    }
    #expect(try await test.engine.engine.task(first.id).state == .queued)
    await test.remove()
  }

  @Test func `a change of a bot doesn't read the tasks that wait for others`() async throws {
    let test = try await DispatcherUnderTest.started { $0.maxAtOnce = 10 }
    for bot in ["b2", "b3", "b4"] { try await test.register(bot, for: ["else"], most: 10) }
    let drafts = (0..<600).map { TaskDraft(name: "\($0)", type: "bots") }
    _ = try await test.engine.engine.create(drafts, batch: nil, by: nil)
    _ = try await test.publishedEvents("task_unassignable", 600)
    func assigned(_ count: Int) async throws {
      _ = try await test.engine.create(type: "else")
      _ = try await test.publishedEvents("task_assigned", count)
    }
    try await assigned(1)
    let before = test.engine.front.reads
    var definition = try #require(test.dispatcher.definition(of: "b2"))
    definition.metadata = ["a": 1]
    _ = try await test.dispatcher.update("b2", definition)
    try await assigned(2)
    definition.capabilities.append(BotCapability(name: "d", taskTypes: ["third"]))
    _ = try await test.dispatcher.update("b2", definition)
    try await assigned(3)
    try await test.dispatcher.unregister("b3")
    try await assigned(4)
    try await test.register("b5", for: ["else"])
    try await assigned(5)
    // One scan of all waiting tasks takes 60.
    #expect(test.engine.front.reads - before < 55)
    await test.remove()
  }

  @Test func `tasks that only a former bot could take are reported, others aren't`() async throws {
    let test = try await DispatcherUnderTest.started()
    let caps = [
      BotCapability(name: "c", taskTypes: ["bots"]), BotCapability(name: "d", taskTypes: ["bots"]),
    ]
    for bot in ["b1", "b2"] {
      _ = try await test.dispatcher.register(
        BotDefinition(name: bot, capabilities: bot == "b1" ? caps : [caps[0]]), id: bot, by: "test")
    }
    let busy = try await test.engine.create(type: "bots") { $0.definition.capability = "c" }
    let other = try await test.engine.create(type: "bots") { $0.definition.capability = "c" }
    _ = try await test.publishedEvents("task_assigned", 2)
    let third = try await test.engine.create(type: "bots") { $0.definition.capability = "c" }
    let special = try await test.engine.create(type: "bots") { $0.definition.capability = "d" }
    let pinned = try await test.engine.create(type: "bots") { $0.definition.bot = "b1" }
    _ = try await test.dispatcher.update("b1", BotDefinition(name: "b1", capabilities: [caps[0]]))
    var told = try await test.publishedEvents("task_unassignable")
    #expect(told.map { $0["task_id"]?.string } == ["\(special.id)"])
    try await test.dispatcher.unregister("b1")
    told = try await test.publishedEvents("task_unassignable", 2)
    #expect(told.map { $0["task_id"]?.string } == ["\(special.id)", "\(pinned.id)"])
    // A bot that can take it makes it possible again.
    try await test.register("b3", for: ["bots"])
    _ = try await test.dispatcher.update(
      "b3", BotDefinition(name: "b3", capabilities: [caps[1]], maxConcurrentTasks: 9))
    _ = try await test.engine.reached(special.id, .assigned)
    #expect(test.count("task_unassignable") == 2)
    _ = (busy, other, third)
    await test.remove()
  }
}
