import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import TestSupport
import Testing

/// What becomes of leases and limits in places where several things come together. The model's
/// lives have found most of it.
@Suite struct TaskLeaseTests {
  private static let bot = "b"

  @Test func `a task that has often succeeded isn't given up when its host dies once`() async throws
  {
    let test = try await EngineUnderTest.started { $0.maxLost = 3 }
    let task = try await test.create(type: "bots")
    for _ in 0..<5 {
      let lease = try #require(try await test.assign(task, to: Self.bot))
      _ = try await test.engine.complete(lease, .succeeded(.null), by: nil)
      _ = try await test.engine.execute(task.id, by: nil)
    }
    for time in 1...3 {
      let lease = try #require(try await test.assign(task, to: Self.bot))
      _ = try await test.engine.accept(lease, silence: 60_000, by: nil)
      #expect(try await test.engine.release(bot: Self.bot, note: "gone") == 1)
      #expect(try await test.engine.task(task.id).state == (time < 3 ? .queued : .dead))
    }
    await test.remove()
  }

  @Test func `a key's limit applies to bots and the host together`() async throws {
    let test = try await EngineUnderTest.started()
    func create(_ type: String) async throws -> TaskRow {
      try await test.create(type: type) {
        $0.definition.concurrencyKey = "k"
        $0.definition.concurrencyLimit = 2
      }
    }
    let first = try await create("puppet")
    _ = try await test.reached(first.id, .running)
    let (second, third) = (try await create("bots"), try await create("bots"))
    let lease = try #require(try await test.assign(second, to: Self.bot))
    #expect(try await test.engine.waitingForBots(limit: 10).rows.isEmpty)
    #expect(try await test.assign(third, to: Self.bot) == nil)
    let fourth = try await create("puppet")
    test.executor.end(first.id, .succeeded(.null))
    // The host's own is taken at once; what a bot has leaves no more capacity.
    _ = try await test.reached(fourth.id, .running)
    #expect(try await test.assign(third, to: Self.bot) == nil)
    _ = try await test.engine.complete(lease, .succeeded(.null), by: nil)
    #expect(try await test.assign(third, to: Self.bot) != nil)
    await test.remove()
  }

  @Test func `a lease is valid for its bot and nobody else`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create(type: "bots")
    let lease = try #require(try await test.assign(task, to: Self.bot))
    let other = TaskLease(task: lease.task, attempt: lease.attempt, owner: "another")
    func isStale(_ error: any Error) -> Bool { (error as? TaskError)?.code == .staleLease }
    await #expect {
      _ = try await test.engine.accept(other, silence: 60_000, by: nil)
    } throws: {
      isStale($0)
    }
    _ = try await test.engine.accept(lease, silence: 60_000, by: nil)
    await #expect {
      _ = try await test.engine.complete(other, .succeeded(.null), by: nil)
    } throws: {
      isStale($0)
    }
    let done = try await test.engine.complete(lease, .succeeded(.null), by: nil)
    #expect(done.state == .succeeded)
    await test.remove()
  }

  @Test func `a cancelled task isn't started again when its bot releases it`() async throws {
    let test = try await EngineUnderTest.started()
    let outcomes: [TaskOutcome?] = [nil, .snoozed(milliseconds: 1)]
    for outcome in outcomes {
      let task = try await test.create(type: "bots")
      let lease = try #require(try await test.assign(task, to: Self.bot))
      _ = try await test.engine.accept(lease, silence: 60_000, by: nil)
      let asked = try await test.engine.cancel(task.id, by: nil)
      #expect(asked.state == .running && asked.cancelling != nil)
      let ended =
        if let outcome {
          try await test.engine.complete(lease, outcome, by: nil)
        } else {
          try await test.engine.reject(lease, reason: "no", by: nil)
        }
      #expect(ended.state == .cancelled)
    }
    await test.remove()
  }

  @Test func `a task cancelled by force and retried can be cancelled again`() async throws {
    let test = try await EngineUnderTest.started { plan in
      plan.types["deaf"] = TaskType(
        name: "deaf", description: "", source: "test", executor: DeafExecutor.shared)
    }
    let task = try await test.create(type: "deaf")
    try await eventually("it is being done") { DeafExecutor.shared.count == 1 }
    _ = try await test.engine.cancel(task.id, isForced: true, by: nil)
    _ = try await test.engine.retry(task.id, by: nil)
    _ = try await test.reached(task.id, .running)
    #expect(test.engine.running == 2)
    try await eventually("both are done") { DeafExecutor.shared.count == 2 }
    DeafExecutor.shared.end(0)
    try await eventually("the first has gone") { test.engine.running == 1 }
    _ = try await test.engine.cancel(task.id, by: nil)
    try await eventually("the second hears of it") { DeafExecutor.shared.isCancelled(1) }
    DeafExecutor.shared.end(1)
    try await eventually("nothing is done any more") { test.engine.running == 0 }
    await test.remove()
  }

  @Test func `a bulk retry retries each failed task once, also one that fails at once`()
    async throws
  {
    let test = try await EngineUnderTest.started()
    test.executor.answerAlways(.failed(error: "no"))
    var tasks: [TaskRow] = []
    for _ in 0..<20 { tasks.append(try await test.create()) }
    for task in tasks { _ = try await test.reached(task.id, .failed) }
    #expect(try await test.engine.retryAll(type: nil, states: [.failed], by: nil) == 20)
    await test.remove()
  }

  @Test func `no more tasks are created than may be open`() async throws {
    let test = try await EngineUnderTest.started(slots: 0) { $0.maxOpen = 3 }
    var tasks: [TaskRow] = []
    for _ in 0..<2 { tasks.append(try await test.create()) }
    let drafts = [TaskDraft(name: "a", type: "puppet"), TaskDraft(name: "b", type: "puppet")]
    await #expect {
      _ = try await test.engine.create(drafts, batch: nil, by: nil)
    } throws: {
      ($0 as? TaskError)?.code == .conflict && "\($0)".contains("tasks.max_open")
    }
    tasks.append(try await test.create())
    await #expect(throws: TaskError.self) { try await test.create() }
    _ = try await test.engine.cancel(tasks[0].id, by: nil)
    _ = try await test.create()
    await test.remove()
  }
}

/// Ignores its cancellation.
private final class DeafExecutor: TaskExecutor {
  static let shared = DeafExecutor()

  private struct Work {
    let continuation: CheckedContinuation<Void, Never>
    var isCancelled = false
  }

  private let works = Mutex<[Work]>([])

  var count: Int { works.withLock { $0.count } }
  func isCancelled(_ place: Int) -> Bool { works.withLock { $0[place].isCancelled } }
  func end(_ place: Int) { works.withLock { $0[place] }.continuation.resume() }

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    let place = Int(work.task.attempt) - 1
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        works.withLock { $0.append(Work(continuation: continuation)) }
      }
    } onCancel: {
      works.withLock { works in
        if place < works.count { works[place].isCancelled = true }
      }
    }
    return .succeeded(.null)
  }
}
