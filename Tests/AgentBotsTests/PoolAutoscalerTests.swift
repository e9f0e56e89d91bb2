import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import TestSupport
import Testing

/// Pools beside a dispatcher, whose instances are up when they are started.
@Suite struct PoolAutoscalerTests {
  /// A keeper, what it has started and stopped, and who does the tasks.
  private final class Test: Sendable {
    let dispatcher: DispatcherUnderTest
    let autoscaler: PoolAutoscaler
    let controlled = ControlledExecutor()
    private let running: Task<Void, Never>

    init(_ dispatcher: DispatcherUnderTest, policy: PoolPolicy, refuses: Bool = false) {
      self.dispatcher = dispatcher
      let instances = Instances()
      let bots = dispatcher.dispatcher
      autoscaler = PoolAutoscaler(
        bots,
        InstanceController {
          if refuses { throw BotLost("It can't be started.") }
          instances.set($0, true)
          bots.setWorker($0, isUp: true)
        } stop: {
          instances.set($0, false)
          bots.setWorker($0, isUp: false)
        })
      self.instances = instances
      let (autoscaler, controlled) = (autoscaler, controlled)
      autoscaler.apply([
        PoolPlan(name: "p", policy: policy, taskTypes: ["bots"]) { name in
          LocalBot(
            id: name,
            definition: BotDefinition(
              name: name, capabilities: [BotCapability(name: "c", taskTypes: ["bots"])]),
            worker: name, isStartedOnDemand: false, executor: controlled)
        }
      ])
      running = Task { await autoscaler.work() }
    }

    let instances: Instances

    func end() async {
      running.cancel()
      await dispatcher.remove()
    }

    /// Waits until `count` instances are up, while the clock advances.
    func reached(_ count: Int) async throws {
      try await eventually("\(count) instances are up") {
        try await letPass()
        return instances.up.count == count
      }
    }

    /// Lets time go on, but not while somebody is offered a task: the offer would run out on a slow
    /// machine.
    func letPass() async throws {
      let counts = try await dispatcher.engine.engine.counts()
      if counts.allSatisfy({ $0.state != .assigned || $0.count == 0 }) {
        dispatcher.engine.clock.advance(100)
      }
    }
  }

  private final class Instances: Sendable {
    private let state = Mutex<(up: Set<String>, started: Int)>(([], 0))
    var up: Set<String> { state.withLock { $0.up } }
    var started: Int { state.withLock { $0.started } }
    func set(_ name: String, _ isUp: Bool) {
      state.withLock { state in
        if isUp { state.started += 1 }
        if isUp { state.up.insert(name) } else { state.up.remove(name) }
      }
    }
  }

  private static func policy(min: Int = 0) -> PoolPolicy {
    PoolPolicy(min: min, max: 3, targetQueueTime: 500, growAfter: 1_000, shrinkAfter: 4_000)
  }

  @Test
  func `an empty pool starts an instance for the first task, more for many, and ends them all`()
    async throws
  {
    let dispatcher = try await DispatcherUnderTest.started { $0.pooledTypes = ["bots"] }
    let test = Test(dispatcher, policy: Self.policy())
    var tasks: [Int64] = []
    for _ in 0..<12 { tasks.append(try await dispatcher.engine.create(type: "bots").id) }
    try await test.reached(3)
    #expect(dispatcher.count("task_unassignable") == 0)
    let report = try #require(test.autoscaler.reports.first)
    #expect(report.instances.map(\.name) == ["p-1", "p-2", "p-3"] && report.queued > 0)
    #expect(try dispatcher.dispatcher.bots().count == 3)
    test.controlled.answerAlways(.succeeded(.null))
    for id in tasks {
      let task = try await dispatcher.engine.reached(id, .succeeded)
      #expect(task.attempt == 1, "\(String(decoding: task.history, as: UTF8.self))")
    }
    try await test.reached(0)
    #expect(try dispatcher.dispatcher.bots().isEmpty && dispatcher.count("pool_resized") >= 4)
    // Still, what comes waits for the pool.
    let last = try await dispatcher.engine.create(type: "bots")
    try await eventually("it is done") {
      try await test.letPass()
      return try await dispatcher.engine.engine.task(last.id).state == .succeeded
    }
    await test.end()
  }

  @Test func `an idle pool isn't checked`() async throws {
    let dispatcher = try await DispatcherUnderTest.started { $0.pooledTypes = ["bots"] }
    let test = Test(dispatcher, policy: Self.policy(min: 1))
    try await test.reached(1)
    try await eventually("it is online") {
      try dispatcher.dispatcher.bot("p-1")["status"] == "online"
    }
    try await eventually("it rests") {
      !dispatcher.engine.clock.hasSleeper(of: Pool.interval)
    }
    #expect(test.instances.started == 1)
    await test.end()
  }

  @Test func `an instance that ends is noticed and started again after a while`() async throws {
    let dispatcher = try await DispatcherUnderTest.started { $0.pooledTypes = ["bots"] }
    let test = Test(dispatcher, policy: Self.policy(min: 1))
    try await test.reached(1)
    test.instances.set("p-1", false)
    dispatcher.dispatcher.setWorker("p-1", isUp: false)
    test.autoscaler.ended("p-1")
    #expect(test.autoscaler.reports.first?.instances.map(\.phase) == [.failed])
    try await test.reached(1)
    #expect(test.instances.started == 2)
    await test.end()
  }

  static let jumps: [Int64] = [3_600_000, -3_600_000, -300, 28_800_000, 315_360_000_000]

  @Test(arguments: jumps)
  func `a failed instance is started again after its wait, whatever the clock says`(
    _ jump: Int64
  ) async throws {
    let dispatcher = try await DispatcherUnderTest.started { $0.pooledTypes = ["bots"] }
    let test = Test(dispatcher, policy: Self.policy(min: 1))
    try await test.reached(1)
    test.instances.set("p-1", false)
    dispatcher.dispatcher.setWorker("p-1", isUp: false)
    test.autoscaler.ended("p-1")
    let began = dispatcher.engine.clock.steady
    dispatcher.engine.clock.step(jump)
    try await test.reached(1)
    let took = dispatcher.engine.clock.steady - began
    #expect(took >= .seconds(1) && took < .seconds(30), "\(took)")
    #expect(test.instances.started == 2)
    await test.end()
  }

  @Test(arguments: jumps)
  func `an idle instance stays for its time, whatever the clock says`(_ jump: Int64) async throws {
    let dispatcher = try await DispatcherUnderTest.started { $0.pooledTypes = ["bots"] }
    let test = Test(dispatcher, policy: Self.policy())
    test.controlled.answerAlways(.succeeded(.null))
    let task = try await dispatcher.engine.create(type: "bots")
    try await eventually("it is done") {
      try await test.letPass()
      return try await dispatcher.engine.engine.task(task.id).state == .succeeded
    }
    let began = dispatcher.engine.clock.steady
    dispatcher.engine.clock.step(jump)
    try await test.reached(0)
    let took = dispatcher.engine.clock.steady - began
    #expect(took >= .seconds(4), "\(took)")
    await test.end()
  }
}
