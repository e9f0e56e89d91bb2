import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// The bytes of open tasks, which nothing removes because of their age.
@Suite struct TaskBytesTests {
  @Test func `open tasks have a limit of bytes for each owner, and one for all`() async throws {
    let change: @Sendable (inout TaskPlan) -> Void = {
      ($0.maxBytes, $0.maxBytesEach) = (25_000, 10_000)
    }
    let test = try await EngineUnderTest.started(slots: 0, change)
    let shop = TaskAuthority.module("shop", granted: [], as: "process:front")
    let other = TaskAuthority.restricted(as: "program:other", operates: true)
    var draft = TaskDraft(name: "a", type: "puppet")
    draft.waits = true
    draft.definition.input = .string(String(repeating: "x", count: 4_000))
    let first = try await test.engine.create(draft, by: shop).task
    _ = try await test.engine.create(draft, by: shop)
    func refusal(_ work: () async throws -> Void) async -> String {
      do {
        try await work()
        return ""
      } catch {
        return (error as? TaskError)?.code == .conflict ? "\(error)" : "another error: \(error)"
      }
    }
    let words = await refusal { _ = try await test.engine.create(draft, by: shop) }
    #expect(words.contains("The open tasks of process:front would have 12"))
    #expect(words.contains("at most 10000 (tasks.max_bytes_each). Wait until some have ended"))
    // All or none, and an ended task isn't opened again beyond the limit.
    #expect(
      await refusal { _ = try await test.engine.create([draft, draft], batch: nil, by: other) }
        == "")
    _ = try await test.engine.cancel(first.id, by: shop)
    #expect(
      await refusal { _ = try await test.engine.create([draft, draft], batch: nil, by: shop) }
        .contains("tasks.max_bytes_each"))
    #expect(try await test.engine.counts().reduce(0) { $0 + $1.count } == 4)
    _ = try await test.engine.create(draft, by: shop)
    #expect(
      await refusal { _ = try await test.engine.retry(first.id, by: shop) }
        .contains("tasks.max_bytes_each"))
    // More data counts, too.
    #expect(
      await refusal {
        _ = try await test.engine.execute(
          first.id, data: .string(String(repeating: "y", count: 7_000)), by: shop)
      }.contains("tasks.max_bytes_each"))
    // An administrator has the limit of all.
    _ = try await test.engine.create(draft, by: "person:root")
    _ = try await test.engine.create(draft, by: "person:root")
    #expect(
      await refusal { _ = try await test.engine.create(draft, by: "person:root") }
        .contains("(tasks.max_bytes)"))
    // The next host counts on.
    await test.stop()
    let next = try await EngineUnderTest.started(slots: 0, owner: "second", after: test, change)
    #expect(
      await refusal { _ = try await next.engine.create(draft, by: shop) }
        .contains("tasks.max_bytes"))
    await next.remove()
  }
}
