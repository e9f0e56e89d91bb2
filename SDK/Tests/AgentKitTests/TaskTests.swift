import AgentJSON
import Synchronization
import Testing

@testable import AgentKit
@testable import AgentKitTesting

@Suite struct TaskTests {
  private let host = TestHost(process: "p")
  private var tasks: TaskClient { host.host.tasks }
  private var bots: BotClient { host.host.bots }

  @Test func `a task is queued with all its given members`() async throws {
    var task = NewTask("Backup", type: "data_backup", input: ["keep": 7])
    task.priority = .high
    task.bot = "bot-1"
    task.dueDate = 5
    task.tags = ["nightly"]
    task.others = ["retry": ["attempts": 3]]
    try await tasks.queue(task)
    #expect(host.taskCalls.map(\.method) == ["create_task"])
    #expect(
      host.taskCalls.first?.input == [
        "retry": ["attempts": 3], "name": "Backup", "type": "data_backup", "input": ["keep": 7],
        "priority": 750, "bot": "bot-1", "due_date": 5, "tags": ["nightly"], "status": "queued",
      ])
    _ = try await tasks.create(NewTask("b", type: "t"))
    task.runAt = 9
    try await tasks.queue(task)
    #expect(host.taskCalls.dropFirst().map { $0.input["status"] } == [nil, nil])
  }

  @Test func `the host's answers are decoded, and its refusals are thrown`() async throws {
    host.answerTasks { call throws(ModuleError) in
      switch call.method {
      case "get_task":
        return [
          "id": "7", "name": "n", "type": "t", "status": "failed",
          "result": ["output": 1, "error": "no"],
        ]
      case "list_tasks": return ["tasks": [["id": "1"], ["id": "2"]]]
      case "assign_task":
        return ["id": "3", "task_id": "7", "bot_id": "b", "status": "pending"]
      case "get_assignment_strategy": return ["assignment_strategy": "round_robin"]
      default: throw ModuleError(.conflict, "Nobody has room.")
      }
    }
    let task = try await tasks.get("7")
    #expect(task.isEnded && task.output == 1 && task.error == "no" && task.type == "t")
    #expect(try await tasks.list(["type": "t"]).map(\.id) == ["1", "2"])
    let assignment = try await tasks.assign("7")
    #expect(assignment.botID == "b" && assignment.taskID == "7" && assignment.task == nil)
    #expect(try await bots.strategy() == "round_robin")
    let error = await #expect(throws: ModuleError.self) { try await tasks.cancel("7") }
    #expect(error?.code == .conflict)
  }

  @Test func `a wait for a task ends when the waiting task is cancelled`() async throws {
    // Nobody ever answers.
    let services = Silent()
    let waiting = Task { try await AgentHost(services).tasks.wait(for: "1") }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `a bot accepts, performs and reports tasks, and failures too`() async throws {
    let offers = Mutex([["1", "2"], ["3"]])
    host.answerTasks { call throws(ModuleError) in
      switch call.method {
      case "register_bot": return ["id": "bot-1", "name": call.input["name"] ?? ""]
      case "get_bot_assignments":
        let next = offers.withLock { $0.isEmpty ? [] : $0.removeFirst() }
        return [
          "assignments": .array(
            next.map { ["id": .string($0), "task": ["id": .string("t" + $0), "input": 20]] })
        ]
      case "accept_assignment" where call.input["id"] == "2":
        throw ModuleError(.conflict, "It is withdrawn.")
      default: return call.input
      }
    }
    let bot = NewBot("Painter", capabilities: [.init("paints", for: ["paint"], boost: 3)])
    let bots = bots
    let serving = Task {
      try await bots.serve(bot) { work in
        if work.assignment.id == "3" { throw ModuleError(.invalidArgument, "It can't be painted.") }
        try await work.report(0.5)
        return try JSONValue(encoding: work.task.input(as: Int.self) + 1)
      }
    }
    func told() -> [JSONValue] {
      host.taskCalls.filter { $0.method == "complete_assignment" }.map(\.input)
    }
    let end = ContinuousClock.now + .seconds(60)
    while told().count < 2, ContinuousClock.now < end { await Task.yield() }
    serving.cancel()
    await #expect(throws: CancellationError.self) { try await serving.value }
    #expect(
      told().prefix(2) == [
        ["id": "1", "result": 21],
        ["id": "3", "success": false, "error": "It can't be painted.", "final": true],
      ])
    let progress = host.taskCalls.first { $0.method == "assignment_heartbeat" }
    #expect(progress?.input["progress"] == ["percent": 50])
    #expect(
      host.taskCalls.first?.input["capabilities"] == [
        ["name": "paints", "task_types": ["paint"], "priority_boost": 3]
      ])
  }

  @Test func `a bot repeats a renewal and a report that the host refuses for a moment`()
    async throws
  {
    let host = TestHost(process: "p", clock: TestClock(leaps: true))
    let offers = Mutex([["1"]])
    let refusals = Mutex(["assignment_heartbeat": 2, "complete_assignment": 3])
    let renewed = AsyncStream<Void>.makeStream()
    host.answerTasks { call throws(ModuleError) in
      let isRefused = refusals.withLock { left in
        guard let count = left[call.method], count > 0 else { return false }
        left[call.method] = count - 1
        return true
      }
      if isRefused { throw ModuleError(.failed, "The disk is full.") }
      switch call.method {
      case "register_bot": return ["id": "bot-1", "name": "Painter"]
      case "get_bot_assignments":
        let next = offers.withLock { $0.isEmpty ? [] : $0.removeFirst() }
        return [
          "assignments": .array(next.map { ["id": .string($0), "task": ["id": .string($0)]] })
        ]
      case "assignment_heartbeat": renewed.continuation.yield()
      default: break
      }
      return call.input
    }
    let bots = host.host.bots
    let serving = Task {
      try await bots.serve(NewBot("Painter", capabilities: [])) { _ in
        // A third renewal follows two that were refused.
        for await _ in renewed.stream { break }
        return 7
      }
    }
    func reports() -> [JSONValue] {
      host.taskCalls.filter { $0.method == "complete_assignment" }.map(\.input)
    }
    let end = ContinuousClock.now + .seconds(60)
    while reports().count < 4, ContinuousClock.now < end { await Task.yield() }
    serving.cancel()
    await #expect(throws: CancellationError.self) { try await serving.value }
    #expect(reports() == Array(repeating: ["id": "1", "result": 7], count: 4))
  }

  @Test func `events of tasks and bots are decoded with all their members`() async throws {
    let events = try tasks.events(of: [.taskAssigned, .botRegistered])
    host.inject(
      Event("tick"), Event("task_queued", fields: ["task": ["id": "1"]]),
      Event("bot_registered", fields: ["bot": ["id": "b", "status": "online"]]),
      Event(
        "task_assigned",
        fields: ["task": ["id": "1"], "bot": .null, "assignment": ["id": "4", "bot_id": "b"]]))
    var found: [TaskEvent] = []
    for try await event in events {
      found.append(event)
      if found.count == 2 { break }
    }
    #expect(found.map(\.kind) == [.botRegistered, .taskAssigned])
    #expect(found[0].bot?.status == .online && found[0].task == nil)
    #expect(found[1].task?.id == "1" && found[1].assignment?.id == "4" && found[1].bot == nil)
  }
}

/// A host that answers nothing.
private struct Silent: HostServices {
  func log(_ level: LogLevel, _ message: String) {}
  func now() -> Int64 { 0 }
  func sleep(for duration: Duration) async throws {}
  func heartbeat() {}
  func publish(_ events: [Event]) async throws {}
  func offer(_ events: [Event]) throws(ModuleError) {}
  func subscribe(_ request: EventRequest) throws(ModuleError) -> EventSubscription {
    throw ModuleError(.unsupported, "")
  }
  func query(_ request: EventRequest) async throws -> EventResults { EventResults(events: []) }
  func send(
    _ service: String, method: String, input: [UInt8],
    done: @escaping @Sendable (Result<[UInt8], ModuleError>) -> Void
  ) {}
}
