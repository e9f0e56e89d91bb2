import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import TestSupport
import Testing

/// What is stored in the transaction of a change.
@Suite struct TaskRecordTests {
  private struct Refused: Error {}

  @Test func `records of a change are stored with it, or neither is`() async throws {
    let test = try await EngineUnderTest.started()
    let refuses = Mutex(true)
    test.engine.record { changes, transaction in
      for change in changes where change.task.state == .failed {
        if refuses.withLock({ $0 }) { throw Refused() }
        _ = try transaction.consumers.register("of-\(change.task.id)", after: 7, now: 0)
      }
    }
    test.executor.answerAlways(.failed(error: "no"))
    let task = try await test.create()
    try await eventually("it has been tried") { test.executor.begun.count == 1 }
    for _ in 0..<20 { await Task.yield() }
    #expect(try await test.engine.task(task.id).state == .running)
    let name = "of-\(task.id)"
    #expect(try await test.store.read { try $0.consumers.consumer(name) } == nil)
    refuses.withLock { $0 = false }
    try await eventually("it has failed") {
      test.clock.advance(1_000)
      return try await test.engine.task(task.id).state == .failed
    }
    #expect(try await test.store.read { try $0.consumers.consumer(name)?.position } == 7)
    await test.remove()
  }
}
