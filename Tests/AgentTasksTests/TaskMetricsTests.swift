import AgentJSON
import AgentMetrics
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// The metrics of tasks by type.
@Suite struct TaskMetricsTests {
  @Test func `a type that no longer exists has no metrics`() async throws {
    let test = try await EngineUnderTest.started { plan in
      plan.types["former"] = TaskType(
        name: "former", description: "", source: "test", executor: nil)
    }
    let registry = MetricsRegistry()
    test.engine.count(in: registry)
    func types() async -> Set<String> {
      let page = await registry.page()
      return Set(page.families.flatMap(\.samples).compactMap { $0.labels["type"] })
    }
    let former = try await test.create(type: "former")
    let other = try await test.create()
    #expect(await types() == ["former", "puppet"])
    var plan = test.engine.plan
    plan.types["former"] = nil
    test.engine.apply(plan)
    test.clock.advance(600_000)
    // It still has a task.
    #expect(await types() == ["former", "puppet"])
    _ = try await test.engine.delete(former.id)
    try await eventually("it is forgotten") {
      test.clock.advance(600_000)
      return await types() == ["puppet"]
    }
    test.executor.end(other.id, .succeeded(.null))
    _ = try await test.reached(other.id, .succeeded)
    await test.remove()
  }
}
