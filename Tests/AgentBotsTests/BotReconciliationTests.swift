import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// A change of a bot whose write reports an error may be stored nevertheless. Memory follows what is
/// stored.
@Suite struct BotReconciliationTests {
  private static let fault = StoreError(.fault, "The disk has failed.")

  private static func definition(_ name: String) -> BotDefinition {
    BotDefinition(name: name, capabilities: [BotCapability(name: "c", taskTypes: ["bots"])])
  }

  /// A dispatcher with the bot b1, whose later writes are stored and reported as failed.
  private static func failing() async throws -> DispatcherUnderTest {
    let test = try await DispatcherUnderTest.started()
    _ = try await test.dispatcher.register(definition("first"), id: "b1", by: "test")
    test.engine.front.storeAndFail(fault)
    return test
  }

  /// Shows what memory has, after a restart too.
  private static func becomes(
    _ test: DispatcherUnderTest, _ what: String, _ isSo: (TaskDispatcher) throws -> Bool
  ) async throws {
    test.engine.front.refuse(nil)
    try await eventually(what) {
      test.engine.clock.advance(100)
      return try isSo(test.dispatcher)
    }
    await test.stop()
    let second = try await DispatcherUnderTest.started(after: test)
    #expect(try isSo(second.dispatcher))
    await second.remove()
  }

  @Test func `a status that was stored by a write that failed is in force`() async throws {
    let test = try await Self.failing()
    let task = try? await test.engine.create(type: "bots")
    #expect(task == nil)
    await #expect(throws: StoreError.self) { _ = try await test.dispatcher.say("b1", .draining) }
    try await Self.becomes(test, "it is draining") { try $0.bot("b1")["status"] == "draining" }
    #expect(test.count("bot_status_changed") == 1)
  }

  @Test func `a bot that went offline by a write that failed has no tasks`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1")
    let task = try await test.engine.create(type: "bots")
    let offer = try await test.offer(to: "b1")
    _ = try await test.dispatcher.accept(offer.id, lease: 1_000_000_000, by: nil)
    test.engine.front.storeAndFail(Self.fault)
    await #expect(throws: StoreError.self) { _ = try await test.dispatcher.say("b1", .offline) }
    test.engine.front.refuse(nil)
    try await eventually("it is requeued") {
      test.engine.clock.advance(100)
      return try await test.engine.engine.task(task.id).state == .queued
    }
    #expect(try test.dispatcher.bot("b1")["status"] == "offline")
    await test.remove()
  }

  @Test func `a definition that was stored by a write that failed is in force`() async throws {
    let test = try await Self.failing()
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.update("b1", Self.definition("second"))
    }
    try await Self.becomes(test, "it has the new name") { try $0.bot("b1")["name"] == "second" }
  }

  @Test func `a bot that was stored by a write that failed is registered`() async throws {
    let test = try await Self.failing()
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.register(Self.definition("other"), id: "b2", by: "test")
    }
    try await Self.becomes(test, "it is registered") {
      try $0.bots().compactMap { $0["id"]?.string } == ["b1", "b2"]
    }
    #expect(test.count("bot_registered") == 2)
  }

  @Test func `a bot that was removed by a write that failed is gone`() async throws {
    let test = try await Self.failing()
    await #expect(throws: StoreError.self) { try await test.dispatcher.unregister("b1") }
    try await Self.becomes(test, "it is gone") { try $0.bots().isEmpty }
    #expect(test.count("bot_unregistered") == 1)
  }

  @Test func `a change that failed and wasn't stored isn't in force later`() async throws {
    let test = try await Self.failing()
    test.engine.front.refuse(Self.fault)
    await #expect(throws: StoreError.self) { _ = try await test.dispatcher.say("b1", .draining) }
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.update("b1", Self.definition("second"))
    }
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.register(Self.definition("other"), id: "b2", by: "test")
    }
    try await eventually("it was tried again") {
      test.engine.clock.advance(100)
      return test.engine.front.refused > 8
    }
    let before = try test.dispatcher.bots()
    #expect(before.map { $0["name"] } == ["first"])
    test.engine.front.refuse(nil)
    // A change afterwards shows that the loop goes on.
    try await eventually("it is stored") {
      test.engine.clock.advance(100)
      return (try? await test.dispatcher.say("b1", .busy)) != nil
    }
    #expect(try test.dispatcher.bots().map { $0["name"] } == ["first"])
    #expect(try test.dispatcher.bot("b1")["status"] == "busy")
    await test.remove()
  }

  @Test func `an assignment that was stored by a write that failed reaches its bot`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1")
    let task = try await test.engine.create(type: "bots") { $0.waits = true }
    test.engine.front.storeAndFail(Self.fault)
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.assign(task.id, to: "b1", by: "test")
    }
    // Its slot is still reserved.
    #expect(try test.dispatcher.bot("b1")["current_tasks"] == 1)
    #expect(test.count("task_assigned") == 0)
    test.engine.front.refuse(nil)
    _ = try await test.publishedEvents("task_assigned", step: 100)
    let offer = try await test.offer(to: "b1")
    _ = try await test.dispatcher.accept(offer.id, lease: nil, by: nil)
    _ = try await test.dispatcher.complete(offer.id, TaskDispatcher.Ending(), by: nil)
    #expect(try await test.engine.engine.task(task.id).state == .succeeded)
    #expect(try test.dispatcher.bot("b1")["current_tasks"] == 0)
    await test.remove()
  }

  @Test func `an assignment whose write failed and stored nothing frees its bot`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1")
    let task = try await test.engine.create(type: "bots") { $0.waits = true }
    test.engine.front.refuse(Self.fault)
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.assign(task.id, to: "b1", by: "test")
    }
    test.engine.front.refuse(nil)
    try await eventually("its slot is free") {
      test.engine.clock.advance(100)
      return try test.dispatcher.bot("b1")["current_tasks"] == 0
    }
    _ = try await test.dispatcher.assign(task.id, to: "b1", by: "test")
    #expect(test.count("task_assigned") == 1)
    await test.remove()
  }

  @Test func `an end that was stored by a write that failed frees the slot of its bot`()
    async throws
  {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1")
    let task = try await test.engine.create(type: "bots")
    let offer = try await test.offer(to: "b1")
    _ = try await test.dispatcher.accept(offer.id, lease: nil, by: nil)
    test.engine.front.storeAndFail(Self.fault)
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.complete(offer.id, TaskDispatcher.Ending(), by: nil)
    }
    test.engine.front.refuse(nil)
    try await eventually("its slot is free") {
      test.engine.clock.advance(100)
      return try test.dispatcher.bot("b1")["current_tasks"] == 0
    }
    #expect(try await test.engine.engine.task(task.id).state == .succeeded)
    _ = try await test.engine.create(type: "bots")
    _ = try await test.offer(to: "b1", step: 100)
    await test.remove()
  }

  @Test func `a strategy that was stored by a write that failed is in force`() async throws {
    let test = try await Self.failing()
    await #expect(throws: StoreError.self) {
      try await test.dispatcher.choose(strategy: "round_robin")
    }
    try await Self.becomes(test, "it is in force") { $0.strategy == "round_robin" }
  }

  @Test func `owners' shares count what is stored after a write that failed`() async throws {
    let test = try await DispatcherUnderTest.started { $0.maxBotsEach = 2 }
    let owner = TaskAuthority.restricted(as: "program:p", operates: true)
    test.engine.front.storeAndFail(Self.fault)
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.register(Self.definition("a"), id: "b1", by: owner)
    }
    test.engine.front.refuse(nil)
    try await eventually("it is registered") {
      test.engine.clock.advance(100)
      return (try? test.dispatcher.bot("b1")) != nil
    }
    _ = try await test.dispatcher.register(Self.definition("b"), id: "b2", by: owner)
    await #expect(throws: TaskError.self) {
      _ = try await test.dispatcher.register(Self.definition("c"), id: "b3", by: owner)
    }
    await test.remove()
  }
}
