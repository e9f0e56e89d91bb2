import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// What is stored and shown of tasks.
@Suite struct TaskReportTests {
  @Test(arguments: [
    TaskOutcome.succeeded(["key": ["a hunter2"]]),
    .failed(error: "hunter2 is refused", output: ["key": ["a hunter2"]]),
    .cancelled(output: ["key": ["a hunter2"]]),
  ])
  func `no stored result has a secret`(_ outcome: TaskOutcome) async throws {
    let test = try await EngineUnderTest.started { plan in
      plan.redact = { $0.replacing("hunter2", with: "[secret]") }
    }
    let (ours, bots) = (try await test.create(), try await test.create(type: "bots"))
    test.executor.end(ours.id, outcome)
    let lease = try #require(try await test.assign(bots, to: "x"))
    _ = try await test.engine.accept(lease, silence: nil, by: nil)
    let row = try await test.engine.heartbeat(lease, progress: "hunter2", silence: 1_000)
    #expect(TaskReport(row).json["progress"] == "[secret]")
    _ = try await test.engine.complete(lease, outcome, by: nil)
    for id in [ours.id, bots.id] {
      let row = try await test.engine.wait(for: id, milliseconds: 60_000)
      #expect(TaskReport(row).result?["output"] == ["key": ["a [secret]"]])
      let report = JSONValue.object(try await test.engine.report(of: id)).text()
      #expect(!report.contains("hunter2"))
    }
    await test.remove()
  }

  @Test func `a secret at the place where an error is cut is redacted too`() async throws {
    let test = try await EngineUnderTest.started { plan in
      plan.redact = { $0.replacing("hunter2", with: "[secret]") }
    }
    let task = try await test.create()
    let error = String(repeating: "x", count: (64 << 10) - 7) + "hunter2"
    let output = JSONValue.string(String(repeating: "y", count: 5 << 20))
    test.executor.end(task.id, .failed(error: error, output: output, isFinal: true))
    let row = try await test.engine.wait(for: task.id, milliseconds: 60_000)
    let stored = try #require(TaskReport(row).result?["error"]?.string)
    #expect(stored.contains("x[se") && !stored.contains("hun"))
    await test.remove()
  }

  @Test func `an event carries no member of more than 64 KiB, and says so`() async throws {
    let test = try await EngineUnderTest.started()
    let large = JSONValue.string(String(repeating: "x", count: 65 << 10))
    let task = try await test.create { $0.definition.input = ["a": large] }
    test.executor.end(task.id, .succeeded(["b": large]))
    let done = try await test.reached(task.id, .succeeded)
    let event = TaskReport(done).event
    #expect(event["omitted"] == ["input", "result"])
    #expect(event["input"] == nil && event["result"] == nil)
    #expect(event["name"] == "a" && event["status"] == "succeeded")
    #expect(TaskReport(done).json["input"] == ["a": large])
    let small = try await test.create { $0.definition.input = 1 }
    test.executor.end(small.id, .succeeded(2))
    let other = TaskReport(try await test.reached(small.id, .succeeded)).event
    #expect(other["omitted"] == nil && other["input"] == 1)
    await test.remove()
  }

  @Test func `more than 10,000 tasks aren't sorted, and the refusal says what to do`() async throws
  {
    let test = try await EngineUnderTest.started(slots: 0)
    let first = try await test.create { $0.waits = true }
    try await test.store.write { transaction in
      for _ in 1...10_000 { try transaction.tasks.insert(first) }
    }
    await #expect {
      try await test.engine.page(TaskSelection(order: .priority), for: nil)
    } throws: {
      ($0 as? TaskError)?.code == .invalid && "\($0)".contains("Choose fewer")
    }
    try await test.engine.delete(first.id)
    let page = try await test.engine.page(TaskSelection(order: .priority, limit: 2), for: nil)
    #expect(page["tasks"]?.array?.count == 2)
    await test.remove()
  }
}
