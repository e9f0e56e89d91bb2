internal import AgentAccess
internal import AgentBots
internal import AgentJSON
internal import AgentHost
internal import AgentStore
internal import AgentTasks
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// Routes of tasks.
struct TaskRoutes {
  let host: HostApplication

  var routes: [APIRoute] { looking + more + creating + editing + acting }

  static let id = APIParameter.number("id", "the task")
  private static let limit = APIParameter.query(
    "limit", .integer(1...1000), summary: "maximum number of results; 100 by default")
  private static let number = APIParameter.Kind.integer(1...APIParameter.maxNumber)

  // MARK: Looking

  private var looking: [APIRoute] {
    [
      APIRoute(
        .get, "tasks", operation: "list_tasks",
        summary: "Lists tasks: filtered, searched, sorted, page by page.",
        tag: .tasks, for: .read,
        parameters: [
          .query(
            "status", .text, summary: "only tasks in one of these states, separated by commas"),
          .query("type", .text, summary: "only tasks of this type"),
          .query("bot", .text, summary: "only tasks of this bot"),
          .query("batch", Self.number, summary: "only tasks of this batch"),
          .query("parent", Self.number, summary: "only children of this task"),
          .query("schedule", Self.number, summary: "only tasks that this schedule created"),
          .query("tag", .text, summary: "only tasks with this tag"),
          .query("q", .text, summary: "only tasks with this text in the name or the definition"),
          .query(
            "sort", .choice(TaskSelection.Order.allCases.map(\.rawValue)),
            summary: "field to sort by; created by default"),
          .query("order", .choice(["asc", "desc"]), summary: "sort order; desc by default"),
          .query("offset", .integer(0...1_000_000_000), summary: "number of tasks to skip"),
          .query("before", Self.number, summary: "only tasks with a number below this"),
          Self.limit,
        ], replies: [.ok(.tasks)], options: .large
      ) { [host] call in
        let selection = try Self.selection(call)
        return try await Self.reply {
          .object(try await host.tasks.page(selection, for: call.authority))
        }
      },
      APIRoute(
        .get, "tasks/{id}", operation: "get_task",
        summary: "Returns a task with its history and artifacts.",
        tag: .tasks, for: .read, parameters: [Self.id], replies: [.ok(.taskReport)],
        options: .forBots
      ) { [host] call in
        try await Self.reply {
          let (id, attempts) = try await Self.readable(call, host)
          return .object(try await host.tasks.report(of: id, attempts: attempts))
        }
      },
      APIRoute(
        .get, "tasks/{id}/logs", operation: "get_task_logs",
        summary: "Lists a task's log lines, oldest first.",
        tag: .tasks, for: .read,
        parameters: [
          Self.id,
          .query(
            "after", .integer(0...APIParameter.maxNumber), summary: "only lines after this number"),
          Self.limit,
        ], replies: [.ok(.taskLog)], options: .forBots
      ) { [host] call in
        try await Self.reply {
          let (id, attempts) = try await Self.readable(call, host)
          let lines = try await host.tasks.logLines(
            of: id, after: Int64(call.integer("after") ?? 0), limit: call.integer("limit") ?? 100,
            attempts: attempts)
          return ["lines": .array(lines.map(\.json))]
        }
      },
      APIRoute(
        .get, "tasks/{id}/explain", operation: "explain_task",
        summary: "Explains why a task isn't done yet.",
        tag: .tasks,
        for: .read, parameters: [Self.id], replies: [.ok(.explanation)]
      ) { [host] call in
        try await Self.reply {
          .object(try await host.tasks.explanation(of: call.number("id")))
        }
      },
      APIRoute(
        .get, "tasks/{id}/wait", operation: "wait_for_task",
        summary: "Waits until a task has ended or the time is over, and returns the task.",
        tag: .tasks,
        for: .read,
        parameters: [
          Self.id,
          .query("wait_ms", .integer(0...3_600_000), summary: "maximum wait; a minute by default"),
        ], replies: [.ok(.task)], options: .slow
      ) { [host] call in
        try await Self.reply {
          let row = try await host.tasks.waited(
            for: call.number("id"), milliseconds: Int64(call.integer("wait_ms") ?? 60_000))
          // The host's end cancels this request and ends its wait; the answer is the same whichever
          // comes first.
          if !row.state.isEnded, host.lifecycle.isEnding {
            throw HostError(.stopping, "The agent is stopping; task \(row.id) continues.")
          }
          return .object(TaskReport(row).json)
        }
      },
    ]
  }

  private var more: [APIRoute] {
    [
      APIRoute(
        .get, "task-types", operation: "list_task_types", summary: "Lists the types of tasks.",
        tag: .tasks,
        for: .read, replies: [.ok(.list("TaskTypes", "types", of: .taskType))]
      ) { [host] _ in
        Response(["types": .array(host.tasks.types)])
      },
      APIRoute(
        .get, "task-counts", operation: "count_tasks", summary: "Counts tasks by type and state.",
        tag: .tasks, for: .read,
        parameters: [
          .query("type", .text, summary: "only tasks of this type"),
          .query("after", .text, summary: "the \"next\" of the previous page"),
          .query(
            "limit", .integer(1...1000), summary: "maximum number of types; 100 by default"),
        ], replies: [.ok(.taskCounts)]
      ) { [host] call in
        try await Self.reply {
          let found =
            if let type = call.text("type") {
              TaskCountPage(counts: try await host.tasks.counts(of: type), after: nil)
            } else {
              try await host.tasks.counts(
                after: call.text("after") ?? "", types: call.integer("limit") ?? 100)
            }
          let counts = found.counts.map { count -> JSONValue in
            [
              "type": .string(count.type), "status": .string(count.state.rawValue),
              "count": JSONValue(count.count),
            ]
          }
          var page: JSONObject = ["counts": .array(counts)]
          page["next"] = found.after.map { .string($0) }
          return .object(page)
        }
      },
      APIRoute(
        .get, "task-batches", operation: "list_task_batches",
        summary: "Lists batches of tasks, newest first.",
        tag: .tasks, for: .read,
        parameters: [
          .query("before", Self.number, summary: "only batches with a number below this"),
          Self.limit,
        ], replies: [.ok(.list("TaskBatches", "batches", of: .taskBatch))]
      ) { [host] call in
        try await Self.reply {
          let batches = try await host.tasks.batches(
            before: call.integer("before").map { Int64($0) }, limit: call.integer("limit") ?? 100)
          return ["batches": .array(batches.map(\.json))]
        }
      },
      APIRoute(
        .get, "task-batches/{id}", operation: "get_task_batch",
        summary: "Returns a batch of tasks.", tag: .tasks,
        for: .read,
        parameters: [.number("id", "the batch")], replies: [.ok(.taskBatch)]
      ) { [host] call in
        try await Self.reply { try await host.tasks.batch(call.number("id")).json }
      },
    ]
  }

  private static func selection(_ call: APICall) throws(HostError) -> TaskSelection {
    var states: Set<TaskState>?
    if let names = call.text("status") {
      states = []
      for name in names.split(separator: ",").map(String.init) {
        guard let state = TaskState(name: name) else {
          throw HostError(
            .invalid,
            "status names states, separated by commas: \"\(name)\" isn't one of "
              + TaskState.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
        states?.insert(state)
      }
    }
    func number(_ name: String) -> Int64? { call.integer(name).map(Int64.init) }
    return TaskSelection(
      states: states, type: call.text("type"), bot: call.text("bot"), batch: number("batch"),
      parent: number("parent"), schedule: number("schedule"), tag: call.text("tag"),
      text: call.text("q"), before: number("before"),
      order: call.text("sort").flatMap(TaskSelection.Order.init) ?? .created,
      isDescending: call.text("order") != "asc", offset: call.integer("offset") ?? 0,
      limit: call.integer("limit") ?? 100)
  }

  /// Returns the task of a call, and the attempts of it that the principal may read. A bot's own
  /// token may read only what the bot has or did.
  static func readable(
    _ call: APICall, _ host: HostApplication
  ) async throws -> (id: Int64, attempts: ReadableAttempts) {
    let id = call.number("id")
    guard call.principal.kind == .bot else { return (id, .all) }
    guard
      let attempts = try await host.bots.readableAttempts(of: id, by: call.principal.name)
    else { throw APIProblem.forBotsOnly(call.principal) }
    return (id, attempts)
  }

  static func reply(_ work: () async throws -> JSONValue) async throws -> Response {
    try await answer { Response(try await work()) }
  }

  /// Returns the answer. A task error becomes the API's error.
  static func answer(_ work: () async throws -> Response) async throws -> Response {
    do {
      return try await work()
    } catch let error as TaskError {
      throw HostError(error)
    }
  }
}
