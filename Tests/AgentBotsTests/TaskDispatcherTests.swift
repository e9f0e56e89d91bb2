import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// Bots that are given tasks.
@Suite struct TaskDispatcherTests {
  @Test func `a task is offered to a capable bot with the whole bot and task`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1")
    let task = try await test.engine.create(type: "bots")
    let offer = try await test.offer(to: "b1")
    #expect(offer.task == task.id && offer.attempt == 1 && offer.strategy == "best_fit")
    let publishedEvents = try await test.publishedEvents("task_assigned")[0]
    #expect(publishedEvents["bot"]?["name"]?.string == "b1")
    #expect(publishedEvents["task"]?["name"]?.string == "a")
    #expect(publishedEvents["assignment"]?["decision"]?["score"]?["priority_boost"]?.int == 0)
    let accepted = try await test.dispatcher.accept(offer.id, lease: nil, by: nil)
    #expect(accepted.state == .accepted)
    #expect(try await test.engine.engine.task(task.id).state == .running)
    // Once more is as once.
    #expect(try await test.dispatcher.accept(offer.id, lease: nil, by: nil) == accepted)
    let beat = try await test.dispatcher.heartbeat(
      offer.id, progress: ["percent": 50], lines: [("stdout", "half")], lease: nil)
    #expect(!beat.isCancelling)
    var ending = TaskDispatcher.Ending()
    ending.output = ["rows": 3]
    let done = try await test.dispatcher.complete(offer.id, ending, by: nil)
    #expect(done.state == .completed && done.result != nil)
    let row = try await test.engine.engine.task(task.id)
    #expect(row.state == .succeeded && row.bot == "b1")
    #expect(
      try await test.engine.engine.logLines(of: task.id, after: 0, limit: 9).map(\.text) == ["half"]
    )
    let end = try await test.publishedEvents("assignment_completed")[0]
    #expect(end["bot"]?["id"]?.string == "b1" && end["status"]?.string == "completed")
    // What is over can't be said again.
    await #expect { try await test.dispatcher.complete(offer.id, ending, by: nil) } throws: {
      ($0 as? TaskError)?.code == .staleLease
    }
    await test.remove()
  }

  @Test
  func `a bot that rejects a task doesn't get it again, and an unwanted task is reported once`()
    async throws
  {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", boost: 5)
    try await test.register("b2")
    let task = try await test.engine.create(type: "bots")
    let first = try await test.offer(to: "b1")
    let rejected = try await test.dispatcher.reject(first.id, reason: "busy with lunch", by: nil)
    #expect(rejected.state == .rejected && rejected.note == "busy with lunch")
    let second = try await test.offer(to: "b2")
    #expect(second.task == task.id && second.attempt == 2)
    _ = try await test.dispatcher.reject(second.id, reason: "", by: nil)
    let publishedEvents = try await test.publishedEvents("task_unassignable")[0]
    #expect(
      publishedEvents["task_id"]?.string == "\(task.id)" && publishedEvents["__skipstorage"] == nil)
    let why = try await test.dispatcher.explain(task.id)
    #expect(why["possible"]?.bool == false)
    #expect(why["bots"]?.array?.count == 2)
    try await test.register("b3")
    #expect(try await test.offer(to: "b3").attempt == 3)
    #expect(test.count("task_unassignable") == 1)
    await test.remove()
  }

  @Test func `an unanswered offer goes to another bot, and the late answer is refused`()
    async throws
  {
    let test = try await DispatcherUnderTest.started { $0.answerWithin = 1_000 }
    try await test.register("b1", boost: 5)
    try await test.register("b2")
    _ = try await test.engine.create(type: "bots")
    let first = try await test.offer(to: "b1")
    let second = try await test.offer(to: "b2", step: 50)
    #expect(second.task == first.task)
    #expect(try await test.dispatcher.assignment(first.id).state == .timedOut)
    await #expect { try await test.dispatcher.accept(first.id, lease: nil, by: nil) } throws: {
      ($0 as? TaskError)?.code == .staleLease
    }
    await test.remove()
  }

  @Test func `a bot silent past its lease loses the task and can't complete it`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", boost: 5)
    try await test.register("b2")
    let task = try await test.engine.create(type: "bots") {
      ($0.definition.retry.attempts, $0.definition.retry.initial) = (3, 1)
    }
    let first = try await test.offer(to: "b1")
    _ = try await test.dispatcher.accept(first.id, lease: 2_000, by: nil)
    test.engine.clock.advance(1_500)
    _ = try await test.dispatcher.heartbeat(first.id, progress: nil, lines: [], lease: nil)
    test.engine.clock.advance(1_999)
    #expect(try await test.engine.engine.task(task.id).attempt == 1)
    let second = try await test.offer(to: "b2", step: 10)
    #expect(second.task == task.id)
    await #expect {
      try await test.dispatcher.complete(first.id, TaskDispatcher.Ending(), by: nil)
    } throws: {
      ($0 as? TaskError)?.code == .staleLease
    }
    _ = try await test.dispatcher.complete(second.id, TaskDispatcher.Ending(), by: nil)
    #expect(try await test.engine.engine.task(task.id).state == .succeeded)
    await test.remove()
  }

  @Test func `a heartbeat without a lease goes by the plan in force`() async throws {
    let test = try await DispatcherUnderTest.started { $0.lease = 2_000 }
    try await test.register("b1")
    let task = try await test.engine.create(type: "bots")
    let offer = try await test.offer(to: "b1")
    _ = try await test.dispatcher.accept(offer.id, lease: nil, by: nil)
    _ = try await test.dispatcher.heartbeat(offer.id, progress: nil, lines: [], lease: nil)
    var plan = test.dispatcher.plan
    plan.lease = 50_000
    test.dispatcher.apply(plan)
    _ = try await test.dispatcher.heartbeat(offer.id, progress: nil, lines: [], lease: nil)
    let wake = try await test.engine.engine.task(task.id).wake
    #expect(wake == test.engine.clock.now + 50_000)
    await test.remove()
  }

  @Test func `an unregistered bot's tasks go to others`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", boost: 5)
    try await test.register("b2")
    let task = try await test.engine.create(type: "bots")
    let first = try await test.offer(to: "b1")
    _ = try await test.dispatcher.accept(first.id, lease: nil, by: nil)
    try await test.dispatcher.unregister("b1")
    #expect(try await test.offer(to: "b2").task == task.id)
    #expect(try await test.dispatcher.assignment(first.id).state == .withdrawn)
    #expect(throws: TaskError.self) { try test.dispatcher.bot("b1") }
    await test.remove()
  }

  @Test func `a bot whose heartbeats stop is offline until its next heartbeat`() async throws {
    let test = try await DispatcherUnderTest.started { $0.heartbeatTimeout = 1_000 }
    try await test.register("quiet")
    try await test.register("b1", for: ["other"])
    _ = try await test.dispatcher.heartbeat("b1")
    let publishedEvents = try await test.publishedEvents("bot_offline", step: 100)[0]
    #expect(
      publishedEvents["bot"]?["id"]?.string == "b1" && publishedEvents["__skipstorage"] == nil)
    #expect(try test.dispatcher.bot("b1")["status"]?.string == "offline")
    #expect(try test.dispatcher.bot("quiet")["status"]?.string == "online")
    #expect(try await test.dispatcher.heartbeat("b1")["status"]?.string == "online")
    let changes = try await test.publishedEvents("bot_status_changed", 2)
    #expect(changes.map { $0["status"]?.string ?? "" } == ["offline", "online"])
    await test.remove()
  }

  @Test func `a task that the host could run goes to a bot while there is one`() async throws {
    let test = try await DispatcherUnderTest.started()
    test.engine.executor.answerAlways(.succeeded(.null))
    try await test.register("b1", for: ["puppet"])
    let first = try await test.engine.create()
    #expect(try await test.offer(to: "b1").task == first.id)
    _ = try await test.dispatcher.say("b1", .error)
    _ = try await test.engine.reached(first.id, .succeeded)
    #expect(test.engine.executor.begun == ["a"])
    await test.remove()
  }

  @Test func `assignments and the chosen strategy survive a restart`() async throws {
    var test = try await DispatcherUnderTest.started()
    try await test.register("b1", most: 2)
    try await test.dispatcher.choose(strategy: "round_robin")
    await #expect(throws: TaskError.self) { try await test.dispatcher.choose(strategy: "best") }
    _ = try await test.engine.create(type: "bots")
    let offer = try await test.offer(to: "b1")
    _ = try await test.dispatcher.say("b1", .draining)
    await test.stop()
    test = try await DispatcherUnderTest.started(after: test)
    let bot = try test.dispatcher.bot("b1")
    #expect(bot["status"]?.string == "draining" && bot["current_tasks"]?.int == 1)
    #expect(test.dispatcher.strategy == "round_robin")
    _ = try await test.dispatcher.complete(offer.id, TaskDispatcher.Ending(), by: nil)
    _ = try await test.publishedEvents("bot_drained")
    #expect(try test.dispatcher.bot("b1")["current_tasks"]?.int == 0)
    await test.remove()
  }

  @Test func `a task can be assigned by hand, also to a person with an inbox`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("ada", for: [], type: .user)
    try await test.register("b1")
    let task = try await test.engine.create(type: "bots") { $0.waits = true }
    let first = try await test.dispatcher.assign(task.id, to: nil, by: "person:bob")
    #expect(first.bot == "b1" && first.strategy == "best_fit")
    let second = try await test.dispatcher.assign(task.id, to: "ada", by: "person:bob")
    #expect(second.strategy == "manual")
    #expect(try await test.dispatcher.assignment(first.id).state == .withdrawn)
    let inbox = try await test.dispatcher.inbox(of: "ada")["assignments"]?.array ?? []
    #expect(inbox.map { $0["task"]?["name"]?.string } == ["a"])
    #expect(try await test.dispatcher.inbox(of: "bob")["assignments"] == [])
    // A person has all the time they want.
    test.engine.clock.advance(86_400_000)
    _ = try await test.dispatcher.accept(second.id, lease: nil, by: "person:ada")
    await #expect { try await test.dispatcher.assign(task.id, to: "b1", by: nil) } throws: {
      ($0 as? TaskError)?.code == .conflict
    }
    _ = try await test.dispatcher.complete(second.id, TaskDispatcher.Ending(), by: "person:ada")
    #expect(try await test.dispatcher.inbox(of: "ada") == ["assignments": []])
    await test.remove()
  }

  @Test func `a task is assigned by hand while the host gives it to a bot itself`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", most: 1_000)
    try await test.register("b2", most: 1_000)
    for _ in 0..<100 {
      let task = try await test.engine.create(type: "bots")
      let row = try await test.dispatcher.assign(task.id, to: "b2", by: "person:bob")
      #expect(row.bot == "b2" && row.strategy == "manual")
      #expect(try await test.engine.engine.task(task.id).owner == "b2")
    }
    await test.remove()
  }

  @Test func `a task that nobody accepts is escalated`() async throws {
    let test = try await DispatcherUnderTest.started { $0.answerWithin = 1_000_000_000_000 }
    try await test.register("b1")
    try await test.register("ada", for: [], type: .user)
    let task = try await test.engine.create(type: "bots") {
      $0.definition.escalation = [
        ["when": "unaccepted", "after_ms": 1_000, "to": ["priority": 250]],
        ["when": "unaccepted", "after_ms": 2_000, "to": ["user": "ada"]],
      ]
    }
    let first = try await test.offer(to: "b1")
    _ = try await test.publishedEvents("task_escalated", step: 50)
    #expect(try await test.engine.engine.task(task.id).priority == 750)
    let second = try await test.offer(to: "ada", step: 50)
    #expect(second.task == task.id)
    #expect(try await test.dispatcher.assignment(first.id).state == .withdrawn)
    #expect(test.count("task_escalated") == 2)
    await test.remove()
  }

  @Test func `a bot that waits for an offer gets it when one is made`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1")
    async let offers = test.dispatcher.offers(to: "b1", milliseconds: 30_000)
    _ = try await test.engine.create("late", type: "bots")
    #expect(try await offers.offers.map { $0.json["task"]?["name"]?.string } == ["late"])
    #expect(try await test.dispatcher.offers(to: "b1", milliseconds: 0).offers.count == 1)
    await #expect(throws: TaskError.self) {
      try await test.dispatcher.offers(to: "nobody", milliseconds: 0)
    }
    await test.remove()
  }

  @Test func `no task is reported as unassignable before the bots are known`() async throws {
    let engine = try await EngineUnderTest.started()
    let clock = engine.clock
    let dispatcher = TaskDispatcher(
      tasks: engine.engine, pause: { try await clock.pause($0) }, now: { clock.now },
      log: { _, _ in }, publish: { _ in })
    dispatcher.apply(BotPlan())
    let asks: [@Sendable () async throws -> Void] = [
      { _ = try dispatcher.bots() }, { try dispatcher.check("person:ada", speaksFor: "b1") },
      { _ = try dispatcher.bot("b1") },
      { _ = try await dispatcher.offers(to: "b1", milliseconds: 0, by: "person:ada") },
      { _ = try await dispatcher.say("b1", .online, by: "person:ada") },
    ]
    for ask in asks {
      await #expect { try await ask() } throws: { ($0 as? TaskError)?.code == .notReady }
    }
    try await dispatcher.open(engine.store)
    for ask in asks.dropFirst(2) {
      await #expect { try await ask() } throws: { ($0 as? TaskError)?.code == .missing }
    }
    await engine.remove()
  }

  @Test func `no task type is unknown before the bots are known`() async throws {
    let engine = try await EngineUnderTest.started()
    let clock = engine.clock
    let dispatcher = TaskDispatcher(
      tasks: engine.engine, pause: { try await clock.pause($0) }, now: { clock.now },
      log: { _, _ in }, publish: { _ in })
    dispatcher.apply(BotPlan())
    await #expect { try await engine.create(type: "welding") } throws: {
      ($0 as? TaskError)?.code == .notReady
    }
    try await dispatcher.open(engine.store)
    await #expect { try await engine.create(type: "welding") } throws: {
      ($0 as? TaskError)?.code == .invalid
    }
    await engine.remove()
  }
}
