import AgentJSON
import AgentScheduler
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// The limits of schedules.
@Suite struct ScheduleLimitTests {
  @Test func `the number of schedules and the bytes of their definitions are bounded`()
    async throws
  {
    var test = try await SchedulerUnderTest.started()
    func isRefused(_ setting: String, _ work: () async throws -> Void) async -> Bool {
      do {
        try await work()
        return false
      } catch {
        return (error as? TaskError)?.code == .conflict && "\(error)".contains(setting)
      }
    }
    func limit(_ count: Int64, bytes: Int64 = 20_000) {
      var plan = test.base.engine.plan
      (plan.maxSchedules, plan.maxScheduleBytes) = (count, bytes)
      test.base.engine.apply(plan)
    }
    limit(2)
    _ = try await test.create("a")
    _ = try await test.create("b")
    #expect(await isRefused("max_schedules") { _ = try await test.create("c") })
    _ = try await test.scheduler.delete("b")
    _ = try await test.create("b")
    await test.stop()
    test = try await SchedulerUnderTest.started(owner: "second", after: test)
    limit(2)
    #expect(await isRefused("max_schedules") { _ = try await test.create("c") })
    limit(3)
    let long = JSONValue.string(String(repeating: "a", count: 15_000))
    _ = try await test.create("c") { $0.task?.definition.input = long }
    limit(9)
    #expect(
      await isRefused("max_schedule_bytes") {
        _ = try await test.create("d") { $0.task?.definition.input = long }
      })
    let patch: JSONObject = ["task": ["type": "puppet", "input": long]]
    #expect(
      await isRefused("max_schedule_bytes") {
        _ = try await test.scheduler.edit("a", patch, by: nil)
      })
    // A change that adds nothing is accepted, also above a limit that was lowered.
    limit(1, bytes: 1)
    _ = try await test.scheduler.edit("c", ["task": ["type": "puppet", "input": 1]], by: nil)
    _ = try await test.scheduler.pause("a")
    await test.remove()
  }
}
