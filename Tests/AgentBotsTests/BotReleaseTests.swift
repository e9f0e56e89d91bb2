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

  @Test func `a bot whose worker has ended is offline as soon as that can be stored`() async throws
  {
    let (test, task, _) = try await Self.working()
    test.engine.front.refuse(Self.noSpace)
    await test.dispatcher.workerEnded(of: "b1") { true }
    #expect(try await test.engine.engine.task(task).state == .running)
    test.engine.front.refuse(nil)
    try await eventually("its task is requeued") {
      test.engine.clock.advance(100)
      return try await test.engine.engine.task(task).state == .queued
    }
    #expect(try test.dispatcher.bot("b1")["status"] == "offline")
    await test.remove()
  }

  @Test func `a bot that another worker has claimed meanwhile stays as it is`() async throws {
    let (test, task, _) = try await Self.working()
    let isClaimed = Atomic(false)
    let looks = Atomic(0)
    test.engine.front.refuse(Self.noSpace)
    await test.dispatcher.workerEnded(of: "b1") {
      looks.add(1, ordering: .relaxed)
      return !isClaimed.load(ordering: .relaxed)
    }
    isClaimed.store(true, ordering: .relaxed)
    test.engine.front.refuse(nil)
    try await eventually("it was tried again") {
      test.engine.clock.advance(100)
      return looks.load(ordering: .relaxed) > 0
    }
    _ = try await test.dispatcher.heartbeat("b1")
    #expect(try test.dispatcher.bot("b1")["status"] == "busy")
    #expect(try await test.engine.engine.task(task).state == .running)
    await test.remove()
  }

  @Test func `a module's bot is offline at a start, and its tasks are requeued`() async throws {
    let first = try await DispatcherUnderTest.started()
    let module = TaskAuthority.restricted(as: "process:front", operates: true)
    let definition = BotDefinition(
      name: "own", capabilities: [BotCapability(name: "c", taskTypes: ["bots"])])
    _ = try await first.dispatcher.register(definition, id: "own", by: module)
    let task = try await first.engine.create(type: "bots")
    let offer = try await first.offer(to: "own")
    _ = try await first.dispatcher.accept(offer.id, lease: 1_000_000_000, by: nil)
    await first.stop()
    let second = try await DispatcherUnderTest.started(after: first)
    #expect(try second.dispatcher.bot("own")["status"] == "offline")
    try await eventually("its task is requeued") {
      second.engine.clock.advance(100)
      return try await second.engine.engine.task(task.id).state == .queued
    }
    // Its worker has started, too.
    _ = try await second.dispatcher.register(definition, id: "own", by: module)
    _ = try await second.offer(to: "own", step: 100)
    await second.remove()
  }

  @Test func `a later end of a worker isn't forgotten with an earlier one`() async throws {
    let (test, task, _) = try await Self.working()
    test.engine.front.refuse(Self.noSpace)
    // The first one doesn't apply any more when it is tried again.
    let isClaimed = Atomic(false)
    await test.dispatcher.workerEnded(of: "b1") { !isClaimed.load(ordering: .relaxed) }
    isClaimed.store(true, ordering: .relaxed)
    await test.dispatcher.workerEnded(of: "b1") { true }
    test.engine.front.refuse(nil)
    try await eventually("its task is requeued") {
      test.engine.clock.advance(100)
      return try await test.engine.engine.task(task).state == .queued
    }
    #expect(try test.dispatcher.bot("b1")["status"] == "offline")
    await test.remove()
  }

  private static func local(
    _ id: String, _ executor: any TaskExecutor, slots: Int = 1
  ) -> LocalBot {
    LocalBot(
      id: id,
      definition: BotDefinition(
        name: id, capabilities: [BotCapability(name: "c", taskTypes: [id])],
        maxConcurrentTasks: slots),
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
    try await eventually("each was tried") {
      test.countOfLines(with: "can't be requeued now") == 3
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

  // MARK: A bot that is back before the release is stored

  /// A local bot whose worker has ended during the task `lost`, and has begun again. The release of
  /// its tasks waits in `front`.
  private static func restarted(
    _ controlled: ControlledExecutor, _ restart: (DispatcherUnderTest) -> Void
  ) async throws -> (test: DispatcherUnderTest, lost: TaskRow) {
    let test = try await DispatcherUnderTest.started {
      $0.local = [Self.local("bots", controlled, slots: 2)]
    }
    let lost = try await test.engine.create("lost", type: "bots")
    try await eventually("it has begun") { controlled.begun == ["lost"] }
    test.engine.front.holdNext()
    restart(test)
    try await eventually("the release waits") { test.engine.front.holdsWrite }
    return (test, lost)
  }

  /// Gives the successor a task before the release is stored, and shows that it keeps it.
  private static func keepsNext(
    _ test: DispatcherUnderTest, _ lost: TaskRow, _ controlled: ControlledExecutor
  ) async throws {
    let next = try await test.engine.create("next", type: "bots")
    try await eventually("the successor has begun") { controlled.begun == ["lost", "next"] }
    test.engine.front.letGo()
    try await eventually("only the lost task begins again") {
      controlled.begun == ["lost", "next", "lost"]
    }
    let row = try await test.engine.engine.task(next.id)
    #expect(row.state == .running && row.attempt == 1 && row.lost == 0)
    #expect(try await test.engine.engine.task(lost.id).attempt == 2)
    #expect(controlled.work(next.id)?.task.attempt == 1)
    controlled.end(next.id, .succeeded(.null))
    _ = try await test.engine.reached(next.id, .succeeded)
    await test.remove()
  }

  @Test func `a task that a bot gets after its worker is back isn't requeued with the former ones`()
    async throws
  {
    let controlled = ControlledExecutor()
    let (test, lost) = try await Self.restarted(controlled) { test in
      test.dispatcher.setWorker("bots", isUp: false)
      test.dispatcher.setWorker("bots", isUp: true)
    }
    try await Self.keepsNext(test, lost, controlled)
  }

  @Test func `the successor of a removed local bot keeps its tasks`() async throws {
    let controlled = ControlledExecutor()
    let (test, lost) = try await Self.restarted(controlled) { test in
      var plan = test.dispatcher.plan
      let bots = plan.local
      plan.local = []
      test.dispatcher.apply(plan)
      plan.local = bots
      test.dispatcher.apply(plan)
    }
    try await Self.keepsNext(test, lost, controlled)
  }
}
