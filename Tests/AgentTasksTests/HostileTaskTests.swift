import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Names, numbers and rows that nobody would write who means well.
@Suite struct HostileTaskTests {
  static let names = ["x\u{1F}r0/1", "\u{1F}t4:http", "a\u{0}b", "a\nb", "\u{7F}", "\u{9B}31m"]

  @Test(arguments: names)
  func `a name with a control character is refused with its place`(_ name: String) async throws {
    let test = try await EngineUnderTest.started()
    let changes: [(String, (inout TaskDraft) -> Void)] = [
      ("name", { $0.name = name }), ("type", { $0.type = name }),
      ("concurrency_key", { $0.definition.concurrencyKey = name }),
      ("bot", { $0.definition.bot = name }), ("bot_type", { $0.definition.botType = name }),
      ("capability", { $0.definition.capability = name }),
      ("tags[0]", { $0.definition.tags = [name] }),
    ]
    for (place, change) in changes {
      await #expect {
        _ = try await test.create("a", change)
      } throws: {
        ($0 as? TaskError)?.code == .invalid
          && "\($0)".contains("\(place) has the control character")
      }
    }
    await test.remove()
  }

  /// A row as somebody could have stored it, whoever was asked to check it.
  private static func row(_ queueKey: String, _ definition: JSONObject) -> TaskRow {
    TaskRow(
      name: "a", type: "puppet", state: .queued, priority: 500, queueKey: queueKey, created: 0,
      updated: 0,
      asked: 0, definition: JSONValue.object(definition).bytes())
  }

  /// Lives of an engine on a store that has these rows.
  private static func started(_ rows: [TaskRow]) async throws -> EngineUnderTest {
    let first = try await EngineUnderTest.started(slots: 0)
    try await first.store.write { transaction in
      for row in rows { _ = try transaction.tasks.insert(row) }
    }
    await first.stop()
    let second = try await EngineUnderTest.started(owner: "second", after: first)
    second.executor.answerAlways(.succeeded(.null))
    return second
  }

  @Test func `tasks stored under ambiguous queue keys of a former version are run`() async throws {
    let key = "x\u{1F}r0/1"
    let queues = [
      "puppet\u{1F}c1\u{1F}#\(key)", "puppet\u{1F}c1\u{1F}#x", "puppet\u{1F}r-1/1",
      "puppet\u{1F}r1/-9223372036854775808\u{1F}#y", "\u{1F}", "\u{1F}t6:puppetk99:x",
      "\u{1F}t6:puppetc1:0p1:1k1:x", "\u{1F}t6:puppetl20:-9223372036854775808k1:z",
    ]
    let rows = queues.enumerated().map { place, queueKey in
      Self.row(queueKey, ["concurrency_key": .string(place == 0 ? key : "x")])
    }
    let test = try await Self.started(rows)
    for id in 1...Int64(rows.count) { _ = try await test.reached(id, .succeeded) }
    await test.remove()
  }

  static let extremes: [JSONValue] = [
    JSONValue(Int64.max), JSONValue(Int64.min), 0, -1, 1e308, -1e308, JSONValue(1 << 53),
  ]

  static func definition(_ number: JSONValue) -> JSONObject {
    [
      "retry": [
        "attempts": number, "initial_ms": number, "max_ms": number, "factor": number,
        "jitter": number,
      ],
      "timeouts": [
        "queued_ms": number, "run_ms": number, "total_ms": number, "heartbeat_ms": number,
      ],
      "concurrency_key": "k", "concurrency_limit": number,
      "rate": ["count": number, "period_ms": number],
    ]
  }

  @Test(arguments: extremes)
  func `no number of a stored row ends the host`(_ number: JSONValue) async throws {
    var row = Self.row("puppet", Self.definition(number))
    let whole = number.int.map { Int64(clamping: $0) } ?? .max
    row.priority = whole
    row.rank = whole
    row.created = whole
    row.updated = whole
    row.asked = whole
    row.due = whole
    row.runAt = whole
    row.attempt = whole
    row.failures = whole
    row.lost = whole
    row.started = whole
    let test = try await Self.started([row])
    test.executor.answerAlways(.failed(error: "no"))
    try await eventually("it has ended, or waits for its next attempt") {
      let task = try await test.engine.task(1)
      _ = test.engine.explain(task)
      return task.state.isEnded || task.state == .scheduled || task.state == .queued
    }
    await test.remove()
  }

  @Test(arguments: extremes)
  func `no number of a request ends the host`(_ number: JSONValue) async throws {
    let test = try await EngineUnderTest.started()
    test.executor.answerAlways(.failed(error: "no"))
    var body = Self.definition(number)
    body["name"] = "a"
    body["type"] = "puppet"
    body["status"] = "queued"
    (body["due_date"], body["unique"]) = (number, number)
    let draft = TaskDraft(.object(body))
    let task = try await test.engine.create(draft, by: nil).task
    try await eventually("it has been tried") {
      let task = try await test.engine.task(task.id)
      return task.state.isEnded || task.state == .scheduled
    }
    var edit = TaskEdit()
    edit.due = .max
    edit.priority = 0
    _ = try await test.engine.update(task.id, edit, by: nil)
    await test.remove()
  }

  private static func text(_ bytes: Int) -> JSONValue {
    .string(String(repeating: "x", count: bytes))
  }

  @Test func `a definition of more than 4 MiB is refused, however it comes together`() async throws
  {
    let test = try await EngineUnderTest.started()
    func isRefused(_ error: any Error) -> Bool {
      (error as? TaskError)?.code == .invalid
        && "\(error)".contains("and may have 4194304. Keep the data in a file")
    }
    await #expect {
      _ = try await test.create { $0.definition.input = Self.text(4 << 20) }
    } throws: {
      isRefused($0)
    }
    let task = try await test.create {
      $0.waits = true
      $0.definition.input = ["a": Self.text(3 << 20)]
    }
    // Each half is permitted, and both together aren't.
    await #expect {
      _ = try await test.engine.execute(task.id, data: ["b": Self.text(3 << 20)], by: "test")
    } throws: {
      isRefused($0)
    }
    #expect(try await test.engine.task(task.id).definition == task.definition)
    _ = try await test.engine.execute(task.id, data: ["a": Self.text(3 << 20)], by: "test")
    await test.remove()
  }

  @Test func `an attempt with a result of more than 4 MiB has failed for good`() async throws {
    let test = try await EngineUnderTest.started()
    // Control characters have six bytes as JSON: these are found where the result is stored.
    let escaped = String(repeating: "\u{1}", count: 1 << 20)
    for output in [Self.text(4 << 20), .string(escaped)] {
      for outcome in [TaskOutcome.succeeded(output), .failed(error: "no", output: output)] {
        let task = try await test.create { $0.definition.retry.attempts = 1 }
        test.executor.end(task.id, outcome)
        let done = try await test.reached(task.id, .failed)
        let error = TaskReport(done).result?["error"]?.string ?? ""
        #expect(error.contains("he result is too large: "))
        #expect(error.contains("bytes, at most 4194304. Write an artifact instead."))
        #expect(done.bytes < 10_000)
      }
    }
    let task = try await test.create { $0.definition.retry.attempts = 1 }
    test.executor.end(task.id, .failed(error: String(repeating: "é", count: 1 << 20)))
    #expect(try await test.reached(task.id, .failed).bytes < 200_000)
    await test.remove()
  }

  @Test func `progress of more than 64 KiB is left out with a line in the log`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create()
    try await eventually("it has begun") { test.executor.work(task.id) != nil }
    test.executor.work(task.id)?.progress(Self.text(65 << 10))
    test.executor.end(task.id, .succeeded(.null))
    let done = try await test.reached(task.id, .succeeded)
    #expect(done.progress == nil)
    let lines = try await test.engine.logLines(of: task.id, after: 0, limit: 9)
    #expect(lines.map(\.stream) == ["agent"])
    #expect(lines.first?.text.contains("it has 66562 bytes, and may have 65536") == true)
    await test.remove()
  }

  @Test func `values of the greatest permitted depth come back unchanged`() async throws {
    let test = try await EngineUnderTest.started()
    func nested(_ depth: Int) -> JSONValue {
      (0..<depth).reduce(JSONValue("end")) { value, _ in [value] }
    }
    test.executor.answerAlways(.succeeded(nested(300)))
    let task = try await test.create { $0.definition.input = nested(300) }
    let done = try await test.reached(task.id, .succeeded)
    #expect(TaskReport(done).result?["output"] == nested(300))
    #expect(TaskReport(done).json["input"] == nested(300))
    await #expect {
      _ = try await test.create { $0.definition.input = nested(512) }
    } throws: {
      "\($0)".contains("nested too deep")
    }
    await test.remove()
  }
}
