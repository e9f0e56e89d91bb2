import AgentEvents
import AgentJSON
import AgentSettings
import AgentSystem
import AgentWorkerProtocol
import Glibc
import HostTestSupport
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

@Suite(.timeLimit(.minutes(5))) struct InProcessWorkerTests {
  private static let echo = ContributionName(.logicAdapter, "echo")
  private let agent: TestAgent
  private let settings: AgentSettings
  private let events = EventBus(now: { Timestamp.now() })
  private let said: AsyncStream<String>
  private let services: WorkerServices

  init() throws {
    agent = try InProcessModule.agent()
    settings = try agent.load(InProcessModule.settings)
    let (said, say) = AsyncStream<String>.makeStream()
    self.said = said
    services = WorkerServices(
      events: events, positions: SubscriptionPositions(),
      log: { say.yield($0.message) },
      sandboxReached: { _, _ in }, ended: { _, _ in })
  }

  @Test func `an in-process process keeps its own state`() async throws {
    let state = try await StateFixture()
    let services = WorkerServices(
      events: events, positions: SubscriptionPositions(), byMethod: ["state/1": state.service],
      log: services.log, sandboxReached: { _, _ in }, ended: { _, _ in })
    let worker = InProcessWorker(
      process: try #require(settings.process("a")), services: services)
    worker.start()
    #expect(await word() == "It runs inside the host.")
    let answer = try await state.call("list", "{}", from: ServiceCaller("a", module: "m")).get()
    #expect(answer["entries"]?[0]?["key"] == "started")
    #expect(answer["entries"]?[0]?["value"] == true)
    worker.stop()
    await state.end()
  }

  @Test func `an in-process worker's metrics end with it, except its counters`() async throws {
    let metrics = ModuleMetrics()
    let services = WorkerServices(
      events: events, positions: SubscriptionPositions(), byMethod: ["metrics/1": metrics],
      log: services.log, sandboxReached: { _, _ in }, ended: { _, _ in })
    let worker = InProcessWorker(
      process: try #require(settings.process("a")), services: services)
    for round in 1...2 {
      worker.start()
      #expect(await word() == "It runs inside the host.")
      try await wait(while: metrics.health.isEmpty)
      let shown = try #require(metrics.reported.first)
      #expect(shown.process == "a")
      #expect(shown.reported.module == "clock")
      guard case .counter(let starts)? = shown.reported.families["starts_total"]?.series[[:]]
      else {
        Issue.record("no counter")
        return
      }
      #expect(starts == Double(round))
      #expect(shown.reported.families["up"] != nil)
      worker.stop()
      try await wait(while: !metrics.health.isEmpty)
      #expect(metrics.reported.first?.reported.families.keys.sorted() == ["starts_total"])
    }
  }

  private func worker(_ process: String) throws -> InProcessWorker {
    InProcessWorker(process: try #require(settings.process(process)), services: services)
  }

  private func word() async -> String? {
    var iterator = said.makeAsyncIterator()
    return await iterator.next()
  }

  private func state(_ worker: InProcessWorker) -> ProcessState {
    worker.report(isEnabled: true, startedAt: 0).state
  }

  @Test func `an in-process process publishes to the bus itself`() async throws {
    let worker = try worker("a")
    #expect(state(worker) == .stopped)
    worker.start()
    #expect(await word() == "It runs inside the host.")
    #expect(state(worker) == .running)
    #expect(events.counts.published == 1)
    let found = try await events.events(
      matching: try EventQuery(parsing: "tick"), window: nil, limit: 1)
    #expect(found.events.first?.source == "a")
  }

  @Test func `a process can be stopped and started again`() async throws {
    let worker = try worker("a")
    worker.start()
    _ = await word()
    worker.stop()
    worker.start()
    #expect(await word() == "It runs inside the host.")
    #expect(state(worker) == .running)
    #expect(events.counts.published == 2)
  }

  @Test func `an instance's late end isn't taken for its successor's`() async throws {
    let worker = try worker("late")
    let module = InProcessWorker(
      module: try #require(settings.module("clock")), services: services)
    worker.start()
    _ = await word()
    worker.stop()
    worker.start()
    _ = await word()
    _ = try await module.invoke(
      Self.echo, input: Array(#""late""#.utf8), deadline: 0, timeout: .seconds(10))
    #expect(state(worker) == .running)
    worker.start()
    worker.stop()
    _ = try await module.invoke(
      Self.echo, input: Array(#""x""#.utf8), deadline: 0, timeout: .seconds(10))
    #expect(events.counts.published == 2)
  }

  @Test func `settings that create refuses leave the process failed with the reason`() async throws
  {
    let worker = try worker("b")
    worker.start()
    #expect(await word()?.contains("There is no such zone.") == true)
    let report = worker.report(isEnabled: true, startedAt: 0)
    #expect(report.state == .failed)
    #expect(report.reason?.contains("There is no such zone.") == true)
  }

  @Test func `a process without a thread fails with the reason, and starts later`() async throws {
    let isRefused = Mutex(true)
    let thread = ModuleThread { (work) throws(DetachedThread.StartError) in
      if isRefused.withLock(\.self) { throw DetachedThread.StartError(number: EAGAIN) }
      try DetachedThread.start("agent-module", work: work)
    }
    let worker = InProcessWorker(
      process: try #require(settings.process("a")), services: services, thread: thread)
    worker.start()
    #expect(await word()?.hasPrefix("FAILED: No thread can be started") == true)
    #expect(state(worker) == .failed)
    let error = await #expect(throws: WorkerError.self) {
      try await worker.invoke(Self.echo, input: [], deadline: 0, timeout: .seconds(600))
    }
    #expect(error?.code == .failed)
    _ = await word()
    // Nothing runs that could be stopped.
    worker.stop()
    isRefused.withLock { $0 = false }
    worker.start()
    #expect(await word() == "It runs inside the host.")
    worker.stop()
  }

  @Test func `a call starts the module's contribution and returns its answer`() async throws {
    let module = try #require(settings.module("clock"))
    let worker = InProcessWorker(module: module, services: services)
    #expect(worker.offers(Self.echo))
    #expect(!worker.offers(ContributionName(.datasource, "ticks")))
    let output = try await worker.invoke(
      Self.echo, input: Array(#"{"text":"x"}"#.utf8), deadline: 0, timeout: .seconds(10))
    #expect(output == Array(#"{"text":"x"}"#.utf8))
    let error = await #expect(throws: WorkerError.self) {
      try await worker.invoke(
        Self.echo, input: Array("null".utf8), deadline: 0, timeout: .seconds(10))
    }
    #expect(error == WorkerError(.invalidArgument, "Say something."))
  }

  @Test func `a call to a worker that wasn't started is refused`() async throws {
    let worker = try worker("a")
    let error = await #expect(throws: WorkerError.self) {
      try await worker.invoke(Self.echo, input: [], deadline: 0, timeout: .seconds(10))
    }
    #expect(error?.code == .closed)
  }

  @Test func `a call that has its answer leaves no task that waits for its time-out`() async throws
  {
    let waiting = Mutex(0)
    let worker = InProcessWorker(
      process: try #require(settings.process("a")), services: services, thread: ModuleThread(),
      pause: { _ in
        waiting.withLock { $0 += 1 }
        defer { waiting.withLock { $0 -= 1 } }
        try await Task.sleep(for: .seconds(3_600))
      })
    for _ in 0..<50 {
      await #expect(throws: WorkerError.self) {
        try await worker.invoke(Self.echo, input: [], deadline: 0, timeout: .seconds(600))
      }
    }
    try await wait(while: waiting.withLock(\.self) > 0)
    worker.stop()
  }

  /// The number of instances of this module that aren't destroyed, with the one that answers.
  private func alive(_ module: InProcessWorker) async throws -> String {
    let output = try await module.invoke(
      Self.echo, input: Array(#""alive""#.utf8), deadline: 0, timeout: .seconds(240))
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `an end during the start is reported, and its instance is destroyed`() async throws {
    let (changes, change) = AsyncStream<String?>.makeStream()
    let services = WorkerServices(
      events: events, positions: SubscriptionPositions(), log: { _ in },
      sandboxReached: { _, _ in }, inProcessChanged: { change.yield($1) }, ended: { _, _ in })
    let worker = InProcessWorker(
      process: try #require(settings.process("brief")), services: services)
    let module = InProcessWorker(
      module: try #require(settings.module("clock")), services: self.services)
    var iterator = changes.makeAsyncIterator()
    for _ in 1...2 {
      worker.start()
      #expect(await iterator.next() == .some(nil))
      #expect(await iterator.next() == "It was brief.")
      let report = worker.report(isEnabled: true, startedAt: 0)
      #expect(report.state == .failed)
      #expect(report.reason == "It was brief.")
      try await eventually("its end") { try await alive(module) == "1" }
    }
  }

  /// Counts the starts and ends that a service gets.
  private final class CallerCounts: HostService {
    let started = Mutex<[ObjectIdentifier: Int]>([:])
    let ended = Mutex<[ObjectIdentifier: Int]>([:])
    private let callers = Mutex<[ServiceCaller]>([])

    func call(
      _ method: String, _ input: [UInt8], from caller: ServiceCaller,
      done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
    ) { done(.success([])) }

    func started(_ caller: ServiceCaller) {
      // Kept, so that no two have the same identity.
      callers.withLock { $0.append(caller) }
      started.withLock { $0[ObjectIdentifier(caller), default: 0] += 1 }
    }

    func ended(_ caller: ServiceCaller) {
      callers.withLock { $0.append(caller) }
      ended.withLock { $0[ObjectIdentifier(caller), default: 0] += 1 }
    }
  }

  @Test(arguments: ["a", "brief", "b"])
  func `the services get the end of each start once`(process: String) async throws {
    let counts = CallerCounts()
    let services = WorkerServices(
      events: events, positions: SubscriptionPositions(), byMethod: ["state/1": counts],
      log: { _ in }, sandboxReached: { _, _ in }, ended: { _, _ in })
    let thread = ModuleThread()
    let worker = InProcessWorker(
      process: try #require(settings.process(process)), services: services, thread: thread)
    let settled = { () async in
      await withCheckedContinuation { continuation in
        // A job that the last one adds comes before the second of these.
        thread.run { thread.run { thread.run { continuation.resume() } } }
      }
    }
    for _ in 1...2 {
      worker.start()
      await settled()
      worker.stop()
      worker.stop()
      await settled()
    }
    let (started, ended) = (counts.started.withLock(\.self), counts.ended.withLock(\.self))
    #expect(ended.count == 2)
    #expect(ended.values.allSatisfy { $0 == 1 })
    #expect(Set(started.keys).isSubset(of: ended.keys))
  }
}
