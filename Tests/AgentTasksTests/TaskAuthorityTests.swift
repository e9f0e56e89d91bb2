import AgentAssignment
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// Permissions of tasks: each way to have something done, for each kind of caller.
@Suite struct TaskAuthorityTests {
  /// The callers.
  private static let askers: [(name: String, authority: TaskAuthority)] = [
    ("administrator", .unrestricted(as: "person:root")),
    ("operator", .restricted(as: "program:op", operates: true)),
    ("caller", .restricted(as: "program:caller", operates: false)),
    ("bot", .bot("b", as: "bot:b")),
    ("module", .module("shop", granted: [], as: "process:front")),
    ("granted", .module("shop", granted: ["command"], as: "process:front")),
  ]

  /// What is to be done: a type, what a definition says beside it, and who may have that done.
  private static let definitions: [(JSONObject, may: Set<String>)] = [
    (["type": "puppet"], ["administrator", "operator", "caller", "bot", "module", "granted"]),
    (["type": "command"], ["administrator", "granted"]),
    (["run_command": "true"], ["administrator", "granted"]),
    (["type": "puppet", "run_command": "true"], ["administrator", "granted"]),
    (["type": "puppet", "shell": true], ["administrator", "granted"]),
    (["type": "puppet", "secrets": ["KEY"]], ["administrator", "granted"]),
    (["type": "http"], ["administrator", "operator", "caller", "bot"]),
    (["type": "http", "secrets": ["KEY"]], ["administrator"]),
  ]

  private static func withTypes(_ plan: inout TaskPlan) {
    let controlled = plan.types["puppet"]?.executor
    for (name, source) in [("command", "built-in"), ("http", "built-in"), ("mine", "shop")] {
      plan.types[name] = TaskType(
        name: name, description: "", source: source, executor: controlled)
    }
  }

  /// Whether something is done; what stands in its way otherwise must be that they may not.
  private func isDone(_ what: String, _ work: () async throws -> Void) async -> Bool {
    do {
      try await work()
      return true
    } catch let error as TaskError where error.code == .forbidden {
      #expect(error.message.contains("administer") || error.message.contains("may not"), "\(error)")
      return false
    } catch {
      Issue.record("\(what): \(error)")
      return false
    }
  }

  private func body(_ definition: JSONObject) -> JSONObject {
    var body = definition
    body["name"] = "a"
    return body
  }

  /// A way to have a definition done.
  private typealias Way = (
    String, @Sendable (EngineUnderTest, JSONObject, TaskAuthority) async throws -> Void
  )

  /// A task of the host's making, which somebody else wants to be done.
  private static func made(_ test: EngineUnderTest, _ body: JSONObject) async throws -> Int64 {
    try await test.engine.create(TaskDraft(.object(body)), by: "person:root").task.id
  }

  private static let ways: [Way] = [
    ("create", { _ = try await $0.engine.create(TaskDraft(.object($1)), by: $2) }),
    (
      "batch",
      { test, body, who in
        var harmless: JSONObject = ["name": "h", "type": "puppet"]
        harmless["input"] = 1
        _ = try await test.engine.create(
          [TaskDraft(.object(harmless)), TaskDraft(.object(body))], batch: "b", by: who)
      }
    ),
    (
      "execute",
      { test, body, who in _ = try await test.engine.execute(Self.made(test, body), by: who) }
    ),
    (
      "execute with data",
      { test, body, who in
        _ = try await test.engine.execute(Self.made(test, body), data: ["x": 1], by: who)
      }
    ),
    (
      "rerun",
      { test, body, who in _ = try await test.engine.rerun(Self.made(test, body), by: who) }
    ),
    (
      "retry",
      { test, body, who in
        let id = try await Self.made(test, body)
        _ = try await test.engine.cancel(id, by: "person:root")
        _ = try await test.engine.retry(id, by: who)
      }
    ),
    (
      "edit",
      { test, body, who in
        var edit = TaskEdit()
        edit.description = "other words"
        _ = try await test.engine.update(Self.made(test, body), edit, by: who)
      }
    ),
  ]

  @Test(arguments: ways.map(\.0))
  func `the resulting definition decides whether a caller may run the task`(_ name: String)
    async throws
  {
    let test = try await EngineUnderTest.started(slots: 0, Self.withTypes)
    let way = try #require(Self.ways.first { $0.0 == name })
    for (definition, may) in Self.definitions {
      for asker in Self.askers {
        let what = "\(name) of \(JSONValue.object(definition).text()) by \(asker.name)"
        let isDone = await isDone(what) {
          try await way.1(test, body(definition), asker.authority)
        }
        #expect(isDone == may.contains(asker.name), "\(what)")
      }
    }
    await test.remove()
  }

  @Test func `a bulk retry leaves out the tasks that the caller may not run`() async throws {
    let test = try await EngineUnderTest.started(slots: 0, Self.withTypes)
    for (definition, _) in Self.definitions {
      let id = try await Self.made(test, body(definition))
      _ = try await test.engine.cancel(id, by: "person:root")
    }
    let count = try await test.engine.retryAll(
      type: nil, states: [.cancelled], by: .restricted(as: "program:op", operates: true))
    #expect(count == 2)
    let left = try await test.engine.tasks(TaskSelection(states: [.cancelled]))
    #expect(left.count == Self.definitions.count - 2)
    await test.remove()
  }

  @Test func `an event has neither a program's input nor its output`() async throws {
    let test = try await EngineUnderTest.started(slots: 0, Self.withTypes)
    for (definition, may) in Self.definitions where may.count < 3 || may.count > 4 {
      var body = body(definition)
      (body["input"], body["metadata"]) = (["token": "crown-jewel"], ["note": "crown-jewel"])
      let row = try await test.engine.create(TaskDraft(.object(body)), by: "person:root").task
      let told = JSONValue.object(TaskReport(row).event).text()
      #expect(told.contains("crown-jewel") == (may.count > 2), "\(told)")
      #expect(TaskReport(row).event["name"] == "a" && TaskReport(row).json["input"] != nil)
    }
    await test.remove()
  }

  @Test func `a caller who may not run a program may change its priority`() async throws {
    let test = try await EngineUnderTest.started(slots: 0, Self.withTypes)
    let id = try await Self.made(test, ["name": "a", "run_command": "true"])
    var edit = TaskEdit()
    edit.priority = 900
    let row = try await test.engine.update(
      id, edit, by: .restricted(as: "program:op", operates: true))
    #expect(row.priority == 900)
    await test.remove()
  }

  @Test func `a worker sees only tasks that it made or could have requested`() async throws {
    let test = try await EngineUnderTest.started(slots: 0, Self.withTypes)
    let secret = try await Self.made(test, ["name": "a", "run_command": "true", "secrets": ["K"]])
    let plain = try await Self.made(test, ["name": "b", "type": "puppet"])
    let granted = TaskAuthority.module("shop", granted: ["command"], as: "process:front")
    let own = try await test.engine.create(
      TaskDraft(["name": "c", "run_command": "true"]), by: granted
    ).task.id
    let module = TaskAuthority.module("shop", granted: [], as: "process:front")
    await #expect { try await test.engine.task(secret, for: module) } throws: {
      ($0 as? TaskError)?.code == .missing
    }
    await #expect { try await test.engine.cancel(secret, by: module) } throws: {
      ($0 as? TaskError)?.code == .missing
    }
    let page = try await test.engine.page(TaskSelection(isDescending: false), for: module)
    let seen = page["tasks"]?.array?.compactMap { $0["id"]?.string }
    #expect(seen == ["\(plain)", "\(own)"])
    let all = try await test.engine.page(
      TaskSelection(), for: .restricted(as: "program:r", operates: false))
    #expect(all["tasks"]?.array?.count == 3)
    await test.remove()
  }

  @Test func `a unique key shows no module a task that it may not read`() async throws {
    let test = try await EngineUnderTest.started(Self.withTypes)
    var draft = TaskDraft(name: "secret name", type: "command")
    draft.unique = .key("k")
    let hidden = try await test.engine.create(draft, by: "person:root").task
    let module = TaskAuthority.module("shop", granted: [], as: "process:front")
    var own = TaskDraft(name: "own", type: "puppet")
    own.unique = .key("k")
    for isBatch in [false, true] {
      await #expect {
        if isBatch {
          _ = try await test.engine.create([own], batch: "b", by: module)
        } else {
          _ = try await test.engine.create(own, by: module)
        }
      } throws: { error in
        let text = "\(error)"
        return (error as? TaskError)?.code == .conflict && !text.contains("secret")
          && !text.contains("\(hidden.id)")
      }
    }
    // A caller that may read the task gets it, as before.
    #expect(try await test.engine.create(own, by: "person:root").task.id == hidden.id)
    own.unique = .key("other")
    let first = try await test.engine.create(own, by: module)
    let second = try await test.engine.create(own, by: module)
    #expect(!first.existed && second.existed && first.task.id == second.task.id)
    await test.remove()
  }

  @Test func `a repeated task names no module the task that has its key and that it may not read`()
    async throws
  {
    let test = try await EngineUnderTest.started(Self.withTypes)
    let module = TaskAuthority.module("shop", granted: [], as: "process:front")
    // Not a program's type: then both have the same unique key.
    var own = TaskDraft(name: "own", type: "puppet")
    own.unique = .whileOpen
    let mine = try await test.engine.create(own, by: module).task
    _ = try await test.engine.cancel(mine.id, isForced: true, by: module)
    // The key is free again. Only who may read the secret sees the task that takes it.
    var other = own
    other.name = "secret name"
    other.definition.secrets = ["K"]
    let hidden = try await test.engine.create(other, by: "person:root").task
    await #expect(throws: TaskError.self) { try await test.engine.task(hidden.id, for: module) }
    for isRetry in [false, true] {
      await #expect {
        if isRetry {
          _ = try await test.engine.retry(mine.id, by: module)
        } else {
          _ = try await test.engine.execute(mine.id, by: module)
        }
      } throws: { error in
        let text = "\(error)"
        return (error as? TaskError)?.code == .conflict && !text.contains("\(hidden.id)")
          && !text.contains("secret")
      }
    }
    // A caller that may read the task is told which one it is.
    await #expect {
      try await test.engine.retry(mine.id, by: "person:root")
    } throws: {
      "\($0)".contains("Task \(hidden.id) is the same")
    }
    await test.remove()
  }
}
