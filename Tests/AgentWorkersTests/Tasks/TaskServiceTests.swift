import AgentBots
import AgentJSON
import AgentModules
import AgentStore
import AgentTasks
import AgentTasksTesting
import AgentWorkerProtocol
import HostTestSupport
import TestSupport
import Testing

@testable import AgentWorkers

@Suite(.timeLimit(.minutes(5))) struct TaskServiceTests {
  private static let painter: JSONValue = [
    "name": "Painter", "capabilities": [["name": "paints", "task_types": ["paint"]]],
  ]

  private func with(
    _ body: (TaskFixture, ServiceCaller) async throws -> Void
  ) async throws {
    let fixture = try await TaskFixture()
    try await body(fixture, ServiceCaller("front", module: "shop"))
    await fixture.end()
  }

  @Test func `a module queues a task and performs one as a bot`() async throws {
    try await with { fixture, caller in
      let bot = try await fixture.call("register_bot", Self.painter, from: caller)
      let id = try #require(bot["id"])
      #expect(bot["owner"] == "process:front" && bot["status"] == "online", "\(bot)")
      let task = try await fixture.call(
        "create_task", ["name": "wall", "type": "paint", "status": "queued", "input": ["red"]],
        from: caller)
      #expect(task["created_by"] == "process:front", "\(task)")
      let offers = try await fixture.call(
        "get_bot_assignments", ["id": id, "wait_ms": 60_000], from: caller)
      let offer = try #require(offers["assignments"]?[0])
      #expect(offer["task"]?["input"] == ["red"], "\(offers)")
      let number: JSONObject = ["id": offer["id"] ?? .null]
      let accepted = try await fixture.call(
        "accept_assignment", .object(TaskSchemas.with(number, ["lease_ms": 60_000])), from: caller)
      #expect(accepted["status"] == "accepted")
      let seen = try await fixture.call(
        "assignment_heartbeat",
        .object(
          TaskSchemas.with(
            number, ["progress": ["percent": 50], "logs": [["text": "half of it"]]])),
        from: caller)
      #expect(seen["cancelling"] == false)
      _ = try await fixture.call(
        "complete_assignment", .object(TaskSchemas.with(number, ["result": "done"])), from: caller)
      let done = try await fixture.call(
        "wait_for_task", ["id": task["id"] ?? .null], from: caller)
      #expect(done["status"] == "succeeded" && done["progress"] == ["percent": 50], "\(done)")
      #expect(done["result"]?["output"] == "done")
      let logs = try await fixture.call("get_task_logs", ["id": task["id"] ?? .null], from: caller)
      #expect(logs["lines"]?[0]?["text"] == "half of it")
      let stats = try await fixture.call("get_bot_stats", ["id": id], from: caller)
      #expect(stats["completed"] == 1)
      let all = try await fixture.call("get_bots_stats", from: caller)
      #expect(all["total_bots"] == 1 && all["completed_tasks"] == 1)
    }
  }

  @Test func `four long answers of a worker are made at a time, and the others wait`() async throws
  {
    let turns = AnswerTurns()
    for _ in 0..<4 { await turns.begin() }
    let fifth = Task { await turns.begin() }
    try await eventually("the fifth waits") { turns.waiting == 1 }
    turns.end()
    await fifth.value
    #expect(turns.waiting == 0)
  }

  @Test func `calls that wait hold up no long answer`() async throws {
    try await with { fixture, caller in
      let task = try await fixture.call(
        "create_task", ["name": "a", "type": "paint"], from: caller)
      let bot = try await fixture.call("register_bot", Self.painter, from: caller)
      let (ends, end) = AsyncStream.makeStream(of: StatusCode?.self)
      for (name, id) in [("wait_for_task", task["id"]), ("get_bot_assignments", bot["id"])] {
        let input: JSONValue = ["id": id ?? .null, "wait_ms": 3_600_000]
        for _ in 0..<5 {
          fixture.service.call(name, input.bytes(), from: caller) { result in
            if case .failure(let error) = result { end.yield(error.code) } else { end.yield(nil) }
          }
        }
      }
      for _ in 0..<10 {
        let list = try await fixture.call("list_tasks", from: caller)
        #expect(list["tasks"]?[0]?["id"] == task["id"])
      }
      // The waits end with the worker.
      fixture.end(caller)
      for await code in ends.prefix(10) { #expect(code == .cancelled) }
    }
  }

  @Test func `built-in task types are refused to modules, unless the settings grant them`()
    async throws
  {
    try await with { fixture, caller in
      let refused: [JSONValue] = [
        ["name": "a", "type": "command"], ["name": "a", "run_command": "true"],
        ["name": "a", "type": "http"], ["name": "a", "type": "paint", "run_command": "true"],
        ["name": "a", "type": "paint", "secrets": ["KEY"]],
        ["name": "a", "type": "paint", "shell": true],
      ]
      for input in refused {
        let error = await fixture.refusal("create_task", input, from: caller)
        #expect(error?.code == .unsupported && error?.message.contains("permissions") == true)
      }
      let greedy: JSONValue = [
        "name": "Greedy", "capabilities": [["name": "all", "task_types": ["paint", "command"]]],
      ]
      #expect(await fixture.refusal("register_bot", greedy, from: caller)?.code == .unsupported)
      let called: JSONValue = ["name": "Called", "webhook": ["url": "https://example.org/"]]
      #expect(await fixture.refusal("register_bot", called, from: caller)?.code == .invalidArgument)
      // A person's task of such a type can't be begun either, nor given other data or to a bot, and
      // isn't shown.
      let made = try await fixture.engine.create(TaskDraft(name: "b", type: "http"), by: "person:a")
      let id: JSONValue = .string("\(made.task.id)")
      for input in [["id": id, "data": ["url": "http://x"]], ["id": id]] as [JSONValue] {
        #expect(await fixture.refusal("execute_task", input, from: caller)?.code == .unsupported)
      }
      for (method, input) in [
        ("get_task", ["id": id]), ("wait_for_task", ["id": id, "wait_ms": 0]),
        ("get_task_logs", ["id": id]), ("explain_task", ["id": id]), ("cancel_task", ["id": id]),
        ("explain_assignment", ["id": id]), ("assign_task", ["task_id": id]),
      ] as [(String, JSONValue)] {
        let error = await fixture.refusal(method, input, from: caller)
        #expect(error?.message.contains("There is no task") == true, "\(method): \(error as Any)")
      }
      #expect(try await fixture.call("list_tasks", from: caller)["tasks"] == [])
      fixture.service.grant(["shop": ["command"], "other": ["http"]])
      for input in refused {
        let error = await fixture.refusal("create_task", input, from: caller)
        #expect((error != nil) == (input["type"] == "http"), "\(input): \(error?.message ?? "")")
      }
      let actions = try await fixture.call(
        "create_task", ["name": "a", "type": "echo"], from: caller)
      #expect(actions["status"] == "waiting")
    }
  }

  /// What is done to a task or a bot of an administrator's by each method that names one; a method
  /// that isn't here names none.
  private static let aboutOthers: [String: @Sendable (String, String) -> JSONValue] = [
    "execute_task": { task, _ in ["id": .string(task)] },
    "get_task": { task, _ in ["id": .string(task)] },
    "wait_for_task": { task, _ in ["id": .string(task), "wait_ms": 0] },
    "cancel_task": { task, _ in ["id": .string(task)] },
    "get_task_logs": { task, _ in ["id": .string(task)] },
    "explain_task": { task, _ in ["id": .string(task)] },
    "explain_assignment": { task, _ in ["id": .string(task)] },
    "assign_task": { task, _ in ["task_id": .string(task)] },
    "update_bot": { _, bot in ["id": .string(bot), "name": "mine"] },
    "set_bot_status": { _, bot in ["id": .string(bot), "status": "offline"] },
    "bot_heartbeat": { _, bot in ["id": .string(bot)] },
    "unregister_bot": { _, bot in ["id": .string(bot)] },
    "get_bot_assignments": { _, bot in ["id": .string(bot)] },
    "create_task": { _, _ in ["name": "a", "run_command": "true"] },
    "register_bot": { _, _ in
      ["name": "a", "capabilities": [["name": "c", "task_types": ["command"]]]]
    },
    "set_assignment_strategy": { _, _ in ["assignment_strategy": "round_robin"] },
    "accept_assignment": { _, _ in ["id": "1"] }, "reject_assignment": { _, _ in ["id": "1"] },
    "complete_assignment": { _, _ in ["id": "1"] },
    "assignment_heartbeat": { _, _ in ["id": "1"] },
  ]
  /// Methods that only read.
  private static let telling: Set<String> = [
    "list_tasks", "list_task_types", "list_bots", "get_bot", "get_bot_stats", "get_bots_stats",
    "get_assignment_strategy", "list_assignments", "get_assignment",
  ]

  @Test func `no method gives a module without a grant an administrator's rights`() async throws {
    try await with { fixture, caller in
      #expect(
        Set(Self.aboutOthers.keys).union(Self.telling) == Set(TaskMethod.all.keys),
        "a new method says here what it may not do")
      let bot: JSONValue = [
        "name": "b", "capabilities": [["name": "c", "task_types": ["command"]]],
      ]
      _ = try await fixture.dispatcher.register(
        fixture.dispatcher.definition(in: JSONDocument(bot).root, called: "It"), id: "b",
        by: "person:root")
      let task = try await fixture.engine.create(
        TaskDraft(["name": "a", "run_command": "true", "secrets": ["K"]]), by: "person:root"
      ).task
      _ = try await fixture.dispatcher.assign(task.id, to: "b", by: "person:root")
      for (method, input) in Self.aboutOthers {
        let error = await fixture.refusal(method, input("\(task.id)", "b"), from: caller)
        #expect(error != nil, "\(method)")
      }
      let after = try await fixture.engine.task(task.id)
      #expect(after.state == .assigned && after.bot == "b", "\(after)")
      try await Self.seesNothing(of: task.id, fixture, caller)
      let listed = try await fixture.call("list_tasks", ["q": "true"], from: caller)
      #expect(listed["tasks"] == [])
    }
  }

  /// Only a caller that sees the task sees its result.
  private static func seesNothing(
    of task: Int64, _ fixture: TaskFixture, _ caller: ServiceCaller
  ) async throws {
    var ending = TaskDispatcher.Ending()
    (ending.isDone, ending.output) = (false, "very secret")
    (ending.error, ending.isFinal) = ("very secret, too", true)
    let row = try #require(
      try await fixture.dispatcher.assignments(AssignmentSelection(task: task)).first)
    _ = try await fixture.dispatcher.accept(row.id, lease: nil, by: "person:root")
    _ = try await fixture.dispatcher.complete(row.id, ending, by: "person:root")
    let whole = try await fixture.dispatcher.report(of: row.id, for: "person:root")
    #expect("\(whole)".contains("very secret"), "\(whole)")
    for (method, input) in [
      ("list_assignments", [:] as JSONValue), ("get_assignment", ["id": .string("\(row.id)")]),
    ] {
      let answer = try await fixture.call(method, input, from: caller)
      #expect("\(answer)".contains("failed"), "\(method): \(answer)")
      #expect(!"\(answer)".contains("very secret"), "\(method): \(answer)")
    }
  }

  @Test func `nobody acts for a bot that somebody else registered`() async throws {
    try await with { fixture, caller in
      let bot = try await fixture.call("register_bot", Self.painter, from: caller)
      let id = bot["id"] ?? .null
      let other = ServiceCaller("back", module: "shop")
      for (method, input) in [
        ("set_bot_status", ["id": id, "status": "offline"]), ("unregister_bot", ["id": id]),
        ("bot_heartbeat", ["id": id]), ("get_bot_assignments", ["id": id]),
        ("update_bot", ["id": id, "name": "Mine"]),
      ] as [(String, JSONValue)] {
        #expect(
          await fixture.refusal(method, input, from: other)?.code == .unsupported, "\(method)")
      }
      let task = try await fixture.call(
        "create_task", ["name": "wall", "type": "paint", "status": "queued"], from: other)
      let offers = try await fixture.call(
        "get_bot_assignments", ["id": id, "wait_ms": 60_000], from: caller)
      let offer: JSONValue = ["id": offers["assignments"]?[0]?["id"] ?? .null]
      for verb in ["accept", "reject", "complete"] {
        let error = await fixture.refusal("\(verb)_assignment", offer, from: other)
        #expect(error?.code == .unsupported, "\(verb)")
      }
      #expect(await fixture.refusal("get_bot", ["id": id], from: other) == nil)
      _ = try await fixture.call("reject_assignment", offer, from: caller)
      let late = await fixture.refusal("complete_assignment", offer, from: caller)
      #expect(late?.code == .conflict, "\(late?.message ?? "")")
      let cancelled = try await fixture.call(
        "cancel_task", ["id": task["id"] ?? .null, "note": "no"], from: other)
      #expect(cancelled["status"] == "cancelled")
    }
  }

  @Test func `a bot depends on its worker, and the same name is the same bot`() async throws {
    try await with { fixture, caller in
      let first = try await fixture.call("register_bot", Self.painter, from: caller)
      let id = first["id"]?.string ?? ""
      let wait = Task { [id] in
        await fixture.refusal(
          "get_bot_assignments", ["id": .string(id), "wait_ms": 600_000], from: caller)
      }
      let successor = ServiceCaller("front", module: "shop")
      let again = try await fixture.call("register_bot", Self.painter, from: successor)
      #expect(again["id"] == first["id"])
      // The predecessor's end is nothing to a bot that counts on its successor.
      fixture.end(caller)
      _ = await wait.value
      #expect(try fixture.dispatcher.bot(id)["status"] == "online")
      fixture.end(successor)
      try await TestSupport.wait(while: try fixture.dispatcher.bot(id)["status"] != "offline")
    }
  }

  @Test func `a wrong call is refused with a sentence`() async throws {
    try await with { fixture, caller in
      let notGranted = await fixture.refusal(
        "set_assignment_strategy", ["assignment_strategy": "load_balanced"], from: caller)
      #expect(notGranted?.code == .unsupported)
      fixture.service.grant(["shop": ["assignment_strategy"]])
      let unknown = await fixture.refusal("drop_tasks", [:], from: caller)
      #expect(unknown?.code == .unsupported && unknown?.message.contains("create_task") == true)
      for example in [
        (method: "create_task", input: ["nmae": "a"], words: "name"),
        (method: "get_task", input: ["id": "99"], words: "no task 99"),
        (
          method: "create_task", input: ["name": "a", "type": "pant"],
          words: "Did you mean \"paint\""
        ),
        (method: "get_task", input: ["id": 7], words: "id"),
        (method: "get_bot", input: ["id": "bot-x"], words: "no bot bot-x"),
        (
          method: "set_assignment_strategy", input: ["assignment_strategy": "best"],
          words: "best_fit"
        ),
        (method: "list_tasks", input: ["status": ["lost"]], words: "status"),
      ] as [(method: String, input: JSONValue, words: String)] {
        let error = await fixture.refusal(example.method, example.input, from: caller)
        #expect(error?.code == .invalidArgument, "\(example.method)")
        #expect(
          error?.message.contains(example.words) == true,
          "\(example.method): \(error?.message ?? "")")
      }
      _ = try await fixture.call(
        "set_assignment_strategy", ["assignment_strategy": "load_balanced"], from: caller)
      let strategy = try await fixture.call("get_assignment_strategy", from: caller)
      #expect(strategy["assignment_strategy"] == "load_balanced")
      let page = try await fixture.call("list_tasks", ["status": ["queued"]], from: caller)
      #expect(page["tasks"] == [])
    }
  }

  @Test func `the page on module tasks and the header name every method and no others`() throws {
    let page = try FileSystem.read("\(InProcessModule.root)/docs/module-tasks.md")
    let table = String(decoding: page, as: UTF8.self)
      .components(from: "| method |", to: "| code |").split(separator: "\n")
    let names = table.flatMap { line in
      (line.split(separator: "|").first ?? "").split(separator: "`").filter { $0.contains("_") }
    }.map(String.init)
    #expect(names.sorted() == TaskMethod.all.keys.sorted())
    let header = try FileSystem.read(
      "\(InProcessModule.root)/SDK/Sources/CAgentModule/include/agent_module.h")
    let words = String(decoding: header, as: UTF8.self)
      .components(from: "docs/module-tasks.md has them:", to: "AGENT_UNSUPPORTED")
      .split { !$0.isLetter && $0 != "_" }.map(String.init)
    #expect(words.sorted() == TaskMethod.all.keys.sorted())
  }
}

extension String {
  /// What is between two texts.
  fileprivate func components(from start: String, to end: String) -> Substring {
    guard let first = firstRange(of: start),
      let last = self[first.upperBound...].firstRange(of: end)
    else { return "" }
    return self[first.upperBound..<last.lowerBound]
  }
}
