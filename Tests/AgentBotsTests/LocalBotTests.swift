import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import TestSupport
import Testing

/// Bots that are part of the agent.
@Suite struct LocalBotTests {
  private static func bot(
    _ id: String, _ executor: any TaskExecutor, worker: String = "module:m", onDemand: Bool = true,
    most: Int = 1
  ) -> LocalBot {
    LocalBot(
      id: id,
      definition: BotDefinition(
        name: id, capabilities: [BotCapability(name: "c", taskTypes: ["bots"])],
        maxConcurrentTasks: most),
      worker: worker, isStartedOnDemand: onDemand, executor: executor)
  }

  /// Its process ends this often during a task.
  private final class FailingExecutor: TaskExecutor {
    private let left: Mutex<Int>
    private let begun = Mutex(0)
    init(losses: Int) { left = Mutex(losses) }
    var attempts: Int { begun.withLock { $0 } }

    func run(_ work: TaskWork) async throws -> TaskOutcome {
      begun.withLock { $0 += 1 }
      let isLost = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if isLost { throw BotLost("It has crashed.") }
      return .succeeded(["attempt": JSONValue(work.task.attempt)])
    }
  }

  @Test func `a local bot runs its task with log, progress and result`() async throws {
    let controlled = ControlledExecutor()
    let test = try await DispatcherUnderTest.started { $0.local = [Self.bot("own", controlled)] }
    #expect(try test.dispatcher.bot("own")["owner"] == "settings")
    let task = try await test.engine.create(type: "bots")
    try await eventually("it has begun") { controlled.begun == ["a"] }
    #expect(try await test.engine.engine.task(task.id).state == .running)
    controlled.end(task.id, .succeeded(["rows": 3]))
    let done = try await test.engine.reached(task.id, .succeeded)
    #expect(done.bot == "own" && TaskReport(done).result?["output"] == ["rows": 3])
    let row = try #require(try await test.dispatcher.assignments(.init(task: task.id)).first)
    #expect(row.state == .completed && row.strategy == "best_fit")
    await test.remove()
  }

  @Test func `a failed task is retried by its rules, and a cancelled one is stopped`()
    async throws
  {
    let controlled = ControlledExecutor()
    let test = try await DispatcherUnderTest.started { $0.local = [Self.bot("own", controlled)] }
    let task = try await test.engine.create(type: "bots") {
      $0.definition.retry.attempts = 2
      $0.definition.retry.initial = 1_000
    }
    controlled.end(task.id, .failed(error: "no"))
    _ = try await test.engine.reached(task.id, .scheduled)
    // Again and again, because a timer may begin to wait after the clock was advanced.
    try await eventually("it is tried again") {
      test.engine.clock.advance(100)
      return controlled.begun.count == 2
    }
    _ = try await test.engine.engine.cancel(task.id, by: nil)
    let row = try await test.engine.reached(task.id, .cancelled)
    #expect(row.attempt == 2)
    await test.remove()
  }

  @Test func `a local bot is offline while its worker is down, and its tasks wait until it is up`()
    async throws
  {
    let controlled = ControlledExecutor()
    let test = try await DispatcherUnderTest.started {
      $0.local = [Self.bot("own", controlled, worker: "p", onDemand: false)]
    }
    #expect(try test.dispatcher.bot("own")["status"] == "offline")
    let task = try await test.engine.create(type: "bots")
    test.dispatcher.setWorker("p", isUp: true)
    try await eventually("it has begun") { controlled.begun.count == 1 }
    test.dispatcher.setWorker("p", isUp: false, why: "It has crashed.")
    _ = try await test.engine.reached(task.id, .queued)
    #expect(try test.dispatcher.bot("own")["status"] == "offline")
    let former = try #require(try await test.dispatcher.assignments(.init(task: task.id)).first)
    #expect(former.state == .withdrawn && former.note == "It has crashed.")
    test.dispatcher.setWorker("p", isUp: true)
    try await eventually("it begins again") { controlled.begun.count == 2 }
    controlled.end(task.id, .succeeded(1))
    #expect(try await test.engine.reached(task.id, .succeeded).failures == 0)
    await test.remove()
  }

  @Test func `a worker that ends during a call doesn't count as the task's failure`() async throws {
    let failing = FailingExecutor(losses: 2)
    let test = try await DispatcherUnderTest.started { $0.local = [Self.bot("own", failing)] }
    let task = try await test.engine.create(type: "bots")
    for losses in 1...2 {
      try await eventually("it is lost") { failing.attempts == losses }
      try await eventually("it rests") {
        try test.dispatcher.bot("own")["status"] == "offline"
          && test.engine.clock.hasSleeper(of: 1_000)
      }
      test.engine.clock.advance(1_000)
    }
    let row = try await test.engine.reached(task.id, .succeeded)
    #expect(row.attempt == 3 && row.failures == 0)
    await test.remove()
  }

  @Test func `a task that always ends its worker is given up`() async throws {
    let failing = FailingExecutor(losses: .max)
    let test = try await DispatcherUnderTest.started { $0.local = [Self.bot("own", failing)] }
    let task = try await test.engine.create(type: "bots")
    // A clock that is moved earlier ends a lease instead of the pause.
    try await eventually("it is dead") {
      if try test.dispatcher.bot("own")["status"] == "offline",
        test.engine.clock.hasSleeper(of: 1_000)
      {
        test.engine.clock.advance(1_000)
      }
      return try await test.engine.engine.task(task.id).state == .dead
    }
    let row = try await test.engine.engine.task(task.id)
    #expect(row.lost == 3 && failing.attempts == 3)
    await test.remove()
  }

  @Test func `a local bot's interrupted task continues at the next start`() async throws {
    let controlled = ControlledExecutor()
    let first = try await DispatcherUnderTest.started { $0.local = [Self.bot("own", controlled)] }
    let task = try await first.engine.create(type: "bots")
    try await eventually("it has begun") { controlled.begun.count == 1 }
    await first.stop()
    let other = ControlledExecutor()
    let second = try await DispatcherUnderTest.started(after: first) {
      $0.local = [Self.bot("own", other)]
    }
    try await eventually("it goes on") { other.begun.count == 1 }
    other.end(task.id, .succeeded(.null))
    let row = try await second.engine.reached(task.id, .succeeded)
    #expect(row.attempt == 2 && row.failures == 0)
    await second.remove()
  }

  @Test func `the local bots are those in the settings`() async throws {
    let controlled = ControlledExecutor()
    let test = try await DispatcherUnderTest.started { $0.local = [Self.bot("own", controlled)] }
    try await test.register("stranger", for: ["other"])
    await #expect { try await test.dispatcher.unregister("own") } throws: {
      ($0 as? TaskError)?.code == .conflict
    }
    await #expect {
      _ = try await test.dispatcher.update("own", BotDefinition(name: "other"))
    } throws: {
      ($0 as? TaskError)?.code == .conflict
    }
    let task = try await test.engine.create(type: "bots")
    try await eventually("it has begun") { controlled.begun.count == 1 }
    var plan = test.dispatcher.plan
    plan.local = [Self.bot("stranger", controlled), Self.bot("next", controlled, most: 2)]
    test.dispatcher.apply(plan)
    #expect(try test.dispatcher.bots().compactMap { $0["id"]?.string } == ["next", "stranger"])
    #expect(try test.dispatcher.bot("stranger")["owner"] == "test")
    try await eventually("the next one has it") {
      try await test.engine.engine.task(task.id).owner == "next"
    }
    await test.remove()
  }

  @Test func `the settings' strategy applies until one is chosen`() async throws {
    let test = try await DispatcherUnderTest.started { $0.strategy = .loadBalanced }
    #expect(test.dispatcher.strategy == "load_balanced")
    try await test.dispatcher.choose(strategy: "round_robin")
    var plan = test.dispatcher.plan
    plan.strategy = .priorityFirst
    test.dispatcher.apply(plan)
    #expect(test.dispatcher.strategy == "round_robin")
    await test.remove()
  }

  @Test func `a local bot's dependents end when the settings no longer have it`() async throws {
    let test = try await DispatcherUnderTest.started {
      $0.local = [Self.bot("a", ControlledExecutor()), Self.bot("b", ControlledExecutor())]
    }
    let ended = Mutex<[String]>([])
    let fails = Atomic(true)
    test.dispatcher.alsoEnding { id, _ in
      if fails.load(ordering: .relaxed) { throw StoreError(.full, "There is no room.") }
      ended.withLock { $0.append(id) }
    }
    var plan = test.dispatcher.plan
    plan.local.removeFirst()
    test.dispatcher.apply(plan)
    await test.dispatcher.endGone()
    #expect(ended.withLock(\.self) == [])
    // The write that failed is tried again.
    fails.store(false, ordering: .relaxed)
    await test.dispatcher.endGone()
    #expect(Set(ended.withLock(\.self)) == ["a"])
    await test.remove()
  }

  @Test func `a result on a full disk is stored once there is space, and the bot continues`()
    async throws
  {
    let controlled = ControlledExecutor()
    let test = try await DispatcherUnderTest.started { $0.local = [Self.bot("own", controlled)] }
    let task = try await test.engine.create(type: "bots")
    try await eventually("it has begun") { controlled.begun == ["a"] }
    let (front, clock) = (test.engine.front, test.engine.clock)
    front.refuse(StoreError(.full, "There is no room."))
    controlled.end(task.id, .succeeded(["rows": 3]))
    for pause: Int64 in [250, 500, 1_000] {
      try await eventually("it is tried again") { clock.hasSleeper(of: pause) }
      clock.advance(pause)
    }
    #expect(try await test.engine.engine.task(task.id).state == .running)
    #expect(front.refused >= 3)
    front.refuse(nil)
    try await eventually("it is stored") {
      clock.advance(2_000)
      return try await test.engine.engine.task(task.id).state == .succeeded
    }
    // Its place isn't taken any more.
    let next = try await test.engine.create("b", type: "bots")
    try await eventually("the next one has begun") { controlled.begun == ["a", "b"] }
    controlled.end(next.id, .succeeded(.null))
    _ = try await test.engine.reached(next.id, .succeeded)
    await test.remove()
  }
}
