import AgentJSON
import AgentStore
import AgentTasksTesting
import Testing

@testable import AgentTasks

/// What a bot may read of a task that others do, too.
@Suite struct ReadableAttemptsTests {
  private static func row(
    attempt: Int64 = 1, _ state: AssignmentRow.State, from created: Int64 = 0,
    until ended: Int64? = nil
  ) -> AssignmentRow {
    AssignmentRow(
      task: 1, attempt: attempt, bot: "x", state: state, strategy: "test", capability: nil,
      decision: [], waited: 0, created: created, ended: ended)
  }

  @Test(arguments: [AssignmentRow.State.rejected, .timedOut, .withdrawn])
  func `a task that a bot didn't end is closed to it`(_ state: AssignmentRow.State) {
    #expect(ReadableAttempts(of: []) == nil)
    #expect(ReadableAttempts(of: [Self.row(state)]) == nil)
  }

  @Test(arguments: [AssignmentRow.State.pending, .accepted])
  func `a bot that has a task may read all of it`(_ state: AssignmentRow.State) {
    let rows = [Self.row(attempt: 2, state), Self.row(.failed)]
    #expect(ReadableAttempts(of: rows) == .all)
  }

  @Test func `a bot that ended attempts may read these`() throws {
    let (done, refused) = (Self.row(attempt: 3, .completed), Self.row(attempt: 4, .rejected))
    let attempts = try #require(ReadableAttempts(of: [refused, done]))
    #expect(attempts == .own([done]))
    #expect(attempts.includes(attempt: 3) && !attempts.includes(attempt: 4))
  }

  @Test func `a file belongs to the attempt that had the task when it was left`() throws {
    let attempts = try #require(
      ReadableAttempts(of: [Self.row(.completed, from: 10, until: 20)]))
    let readable = [9, 10, 20, 21].filter { timestamp in
      attempts.includes(
        TaskArtifact(task: 1, name: "a", mediaType: "b", size: 1, timestamp: timestamp))
    }
    #expect(readable == [10, 20])
  }

  @Test func `a bot whose attempt failed doesn't read what the next one gets and makes`()
    async throws
  {
    let test = try await EngineUnderTest.started()
    let engine = test.engine
    let task = try await test.create(type: "bots") { $0.definition.input = "first input" }
    let first = try #require(try await test.assign(task, to: "x"))
    _ = try await engine.accept(first, silence: nil, by: nil)
    try await engine.log(first, [(stream: "stdout", text: "first line")])
    _ = try await engine.complete(
      first, .failed(error: "first error", output: "first output", isFinal: true), by: nil)
    let attempts = try await readable(by: "x", in: test)
    let own = try await engine.report(of: task.id, attempts: attempts)
    #expect(own["input"] == "first input" && own["result"]?["output"] == "first output")

    _ = try await engine.execute(task.id, data: "their input", by: nil)
    let second = try #require(try await test.assign(task, to: "y"))
    _ = try await engine.accept(second, silence: nil, by: nil)
    _ = try await engine.heartbeat(second, progress: "their progress", silence: 1_000)
    try await engine.log(
      second, (1...1_100).map { (stream: "stdout", text: "their line \($0)") })
    _ = try await engine.complete(second, .succeeded("their output"), by: nil)
    let report = try await engine.report(of: task.id, attempts: attempts)
    #expect(report["result"]?["output"] == "first output" && report["status"] == "succeeded")
    #expect(!JSONValue.object(report).text().contains("their "), "\(report)")
    #expect(report["history"]?.array?.contains(where: { $0["attempt"] == 2 }) == false, "\(report)")
    let lines = try await engine.logLines(of: task.id, after: 0, limit: 9, attempts: attempts)
    #expect(lines.map(\.text) == ["first line"])
    let theirs = try await readable(by: "y", in: test)
    let later = try await engine.logLines(of: task.id, after: 1, limit: 2_000, attempts: theirs)
    #expect(later.count == 1_100 && later.last?.text == "their line 1100")
    await test.remove()
  }

  private func readable(by bot: String, in test: EngineUnderTest) async throws -> ReadableAttempts {
    let rows = try await test.store.read {
      try $0.assignments.assignments(AssignmentSelection(bot: bot))
    }
    return try #require(ReadableAttempts(of: rows))
  }
}
