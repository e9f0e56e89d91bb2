import AgentJSON
import AgentScheduler
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// Schedules make what their writer could have had done, whoever touches them afterwards.
@Suite struct ScheduleAuthorityTests {
  private static let `operator` = TaskAuthority.restricted(as: "program:op", operates: true)

  /// Bodies of a task that asks for a program, in every spelling that a reader might take for one.
  private static let programs: [JSONObject] = [
    ["run_command": "true"], ["type": "command"], ["type": "puppet", "run_command": "true"],
    ["type": "puppet", "shell": true], ["type": "puppet", "secrets": ["KEY"]],
  ]
  /// What is no program and no type either.
  private static let nothings: [JSONObject] = [
    ["run_command": 5], ["run_command": .null], ["run_command": true],
    ["run_command": ["true"]], ["type": .null, "run_command": 5], ["type": 5, "run_command": 5],
  ]

  private func started() async throws -> SchedulerUnderTest {
    let test = try await SchedulerUnderTest.started()
    var plan = test.base.engine.plan
    plan.types["command"] = TaskType(
      name: "command", description: "", source: "built-in", executor: test.base.executor)
    test.base.engine.apply(plan)
    return test
  }

  private func refusal(_ work: () async throws -> Void) async -> TaskError.Code? {
    do {
      try await work()
      return nil
    } catch {
      return (error as? TaskError)?.code
    }
  }

  @Test func `a number in place of a command is refused`() async throws {
    let test = try await started()
    for task in Self.nothings {
      #expect(throws: TaskError.self, "\(task)") { try ScheduledTask(json: task) }
      let row = try await test.create("s")
      var change: JSONObject = ["type": .null]
      for (key, value) in task { change[key] = value }
      let patch: JSONObject = ["task": .object(change)]
      let code = await refusal { _ = try await test.scheduler.edit("s", patch, by: Self.operator) }
      #expect(code == .invalid, "\(task)")
      _ = try await test.scheduler.delete("\(row.id)")
    }
    await test.remove()
  }

  @Test func `a program that its author may not run can't be scheduled`() async throws {
    let test = try await started()
    _ = try await test.create("mine")
    for (index, task) in Self.programs.enumerated() {
      let definition = try ScheduleDefinition(json: ["every": "1d", "task": .object(task)])
      let name = "s\(index)"
      let draft = ScheduleDraft(name: name, definition)
      #expect(
        await refusal { _ = try await test.scheduler.create(draft, by: Self.operator) }
          == .forbidden)
      let row = try await test.scheduler.create(draft, by: "person:root")
      let bodies: [JSONObject] = [
        ["every": "1s"], ["task": ["input": ["url": "http://elsewhere/"]]], ["name": "other"],
      ]
      for patch in bodies {
        let code = await refusal {
          _ = try await test.scheduler.edit(name, patch, by: Self.operator)
        }
        #expect(code == .forbidden, "\(patch)")
      }
      let merged = await refusal {
        _ = try await test.scheduler.edit("mine", ["task": .object(task)], by: Self.operator)
      }
      #expect(merged == .forbidden, "\(task)")
      #expect(
        await refusal { _ = try await test.scheduler.trigger(name, by: Self.operator) }
          == .forbidden)
      _ = try await test.scheduler.pause(name)
      #expect(
        await refusal { _ = try await test.scheduler.resume(name, by: Self.operator) } == .forbidden
      )
      #expect(try await test.scheduler.schedule(name).definition == row.definition)
      let fire = try await test.scheduler.trigger(name, by: "person:root")
      let made = try #require(fire.task)
      let like = await refusal {
        _ = try await test.scheduler.create(
          like: made, ScheduleDefinition(.every("1m")), named: "like", by: Self.operator)
      }
      #expect(like == .forbidden)
    }
    _ = try await test.scheduler.trigger("mine", by: Self.operator)
    #expect(
      try await test.scheduler.schedules(ScheduleSelection()).rows.count == Self.programs.count + 1)
    await test.remove()
  }
}
