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
