import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import TestSupport
import Testing

/// The tasks of a bot that is lost are requeued, whatever the disk does.
@Suite struct BotReleaseTests {
  private static let noSpace = StoreError(.full, "There is no space.")

  /// A dispatcher whose bot has accepted a task without any limit of its silence.
  private static func working(
    beats: Bool = false
  ) async throws -> (test: DispatcherUnderTest, task: Int64, offer: AssignmentRow) {
    let test = try await DispatcherUnderTest.started { $0.heartbeatTimeout = 2_000 }
    try await test.register("b1")
    if beats { _ = try await test.dispatcher.heartbeat("b1") }
    let task = try await test.engine.create(type: "bots")
    let offer = try await test.offer(to: "b1")
    _ = try await test.dispatcher.accept(offer.id, lease: 1_000_000_000, by: nil)
    return (test, task.id, offer)
  }

  @Test func `the tasks of a bot that goes offline are requeued as soon as that can be stored`()
    async throws
  {
    let (test, task, _) = try await Self.working()
    // Its status is stored, and nothing after that.
    test.engine.front.refuse(Self.noSpace, after: 1)
    _ = try await test.dispatcher.say("b1", .offline)
    try await eventually("it was refused") { test.engine.front.refused > 0 }
    #expect(try await test.engine.engine.task(task).state == .running)
    test.engine.front.refuse(nil)
    try await eventually("it is requeued") {
      test.engine.clock.advance(100)
      return try await test.engine.engine.task(task).state == .queued
    }
    let former = try await test.dispatcher.assignments(.init(task: task))[0]
    #expect(former.state == .withdrawn && former.note == "The bot is offline.")
    await test.remove()
  }

  private static func local(_ id: String, _ executor: any TaskExecutor) -> LocalBot {
    LocalBot(
      id: id,
      definition: BotDefinition(
        name: id, capabilities: [BotCapability(name: "c", taskTypes: [id])]),
      worker: id, isStartedOnDemand: true, executor: executor)
  }

  @Test func `the tasks of several bots are requeued in the order in which the bots went`()
    async throws
  {
    let controlled = ControlledExecutor()
    let test = try await DispatcherUnderTest.started { plan in
      plan.local = ["a", "b", "c"].map { Self.local($0, controlled) }
    }
    let requeued = Mutex<[String]>([])
    test.engine.engine.observe { changes in
      let names = changes.filter { $0.former == .running && $0.task.state == .queued }
        .map(\.task.type)
      requeued.withLock { $0 += names }
    }
    for type in ["a", "b", "c"] { _ = try await test.engine.create(type: type) }
    try await eventually("they have begun") { controlled.begun.count == 3 }
    test.engine.front.refuse(Self.noSpace)
    for bot in ["c", "a", "b"] { test.dispatcher.setWorker(bot, isUp: false) }
    try await eventually("each was tried again") {
      test.engine.clock.advance(100)
      return test.engine.front.refused > 30
    }
    test.engine.front.refuse(nil)
    try await eventually("they are requeued") {
      test.engine.clock.advance(100)
      return requeued.withLock { $0.count } == 3
    }
    #expect(requeued.withLock(\.self) == ["c", "a", "b"])
    await test.remove()
  }

  @Test func `a local bot's tasks are requeued as soon as that can be stored`() async throws {
    let controlled = ControlledExecutor()
    let test = try await DispatcherUnderTest.started {
      $0.local = [Self.local("bots", controlled)]
    }
    let task = try await test.engine.create(type: "bots")
    try await eventually("it has begun") { controlled.begun.count == 1 }
    test.engine.front.refuse(Self.noSpace)
    test.dispatcher.setWorker("bots", isUp: false, why: "It has crashed.")
    try await eventually("it was refused") { test.engine.front.refused > 0 }
    test.engine.front.refuse(nil)
    try await eventually("it is requeued") {
      test.engine.clock.advance(100)
      return try await test.engine.engine.task(task.id).state == .queued
    }
    let former = try await test.dispatcher.assignments(.init(task: task.id))[0]
    #expect(former.state == .withdrawn && former.note == "It has crashed.")
    await test.remove()
  }

  @Test func `a host that ended before it could requeue the tasks of a bot does it at its start`()
    async throws
  {
    let (first, task, _) = try await Self.working()
    first.engine.front.refuse(Self.noSpace, after: 1)
    _ = try await first.dispatcher.say("b1", .offline)
    try await eventually("it was refused") { first.engine.front.refused > 0 }
    await first.stop()
    let second = try await DispatcherUnderTest.started(after: first)
    _ = try await second.engine.reached(task, .queued)
    #expect(try second.dispatcher.bot("b1")["status"] == "offline")
    await second.remove()
  }

  @Test(arguments: [false, true])
  func `a bot that was lost before the start keeps its tasks only if it sends heartbeats again`(
    _ isHeard: Bool
  ) async throws {
    let (first, task, offer) = try await Self.working(beats: true)
    first.engine.front.refuse(Self.noSpace, after: 1)
    try await eventually("its loss is stored, and nothing after that") {
      first.engine.clock.advance(100)
      return first.engine.front.refused > 0
    }
    await first.stop()
    let second = try await DispatcherUnderTest.started(after: first) {
      $0.heartbeatTimeout = 2_000
    }
    #expect(try second.dispatcher.bot("b1")["status"] == "offline")
    #expect(try await second.engine.engine.task(task).state == .running)
    if isHeard {
      for _ in 0..<50 {
        _ = try await second.dispatcher.heartbeat("b1")
        second.engine.clock.advance(100)
      }
      var ending = TaskDispatcher.Ending()
      ending.output = 1
      _ = try await second.dispatcher.complete(offer.id, ending, by: nil)
      #expect(try await second.engine.engine.task(task).state == .succeeded)
    } else {
      try await eventually("it is requeued") {
        second.engine.clock.advance(100)
        return try await second.engine.engine.task(task).state == .queued
      }
    }
    await second.remove()
  }
}
