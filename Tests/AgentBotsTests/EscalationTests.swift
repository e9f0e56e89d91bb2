import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// What becomes of tasks that no bot takes in time.
@Suite struct EscalationTests {
  @Test(arguments: ["user", "bot", "bot_type"])
  func `a task stays with its bot when the escalation has no recipient`(_ key: String)
    async throws
  {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1")
    let task = try await test.engine.create(type: "bots") {
      $0.definition.escalation = [
        ["when": "unaccepted", "after_ms": 300, "to": .object([key: "nobody"])]
      ]
    }
    _ = try await test.offer(to: "b1")
    let publishedEvents = try await test.publishedEvents("task_escalated", step: 50)
    #expect(publishedEvents[0]["reason"]?.string?.contains("without effect") == true)
    let row = try await test.engine.engine.task(task.id)
    #expect(row.state == .assigned && row.owner == "b1" && row.bot == "b1")
    await test.remove()
  }

  @Test func `a task behind a thousand others is escalated, even without any bot`() async throws {
    let test = try await DispatcherUnderTest.started()
    let drafts = (0..<1_100).map { TaskDraft(name: "\($0)", type: "bots") }
    _ = try await test.engine.engine.create(drafts, batch: nil, by: nil)
    let last = try await test.engine.create(type: "bots") {
      $0.definition.escalation = [["after_ms": 300, "to": ["priority": 100]]]
    }
    _ = try await test.publishedEvents("task_escalated", step: 50)
    try await eventually("it is raised") {
      try await test.engine.engine.task(last.id).priority == 600
    }
    try await eventually("nobody looks at it any more") {
      try await test.engine.engine.task(last.id).escalateAt == nil
    }
    await test.remove()
  }
}
