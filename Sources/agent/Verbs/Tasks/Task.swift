internal import AgentJSON
internal import ArgumentParser
internal import NIOCore
internal import NIOHTTP1

/// The verbs for tasks.
struct TaskVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "task", abstract: "Create tasks, execute them, show their results.",
    discussion: """
      A task is stored until it is done, and retried when it fails. "explain" says why it waits.

      Example: agent task run "free space" --command "df -h /"
      """,
    subcommands: [
      TaskList.self, TaskShow.self, TaskCreate.self, TaskRun.self, TaskExecute.self,
      TaskEditVerb.self, TaskCancel.self, TaskRetry.self, TaskRerun.self, TaskDelete.self,
      TaskWait.self, TaskLogs.self, TaskExplain.self, TaskTypes.self, TaskBatches.self,
      TaskBatchVerb.self, TaskArtifacts.self,
    ], defaultSubcommand: TaskList.self)
}

/// The number of a task.
struct TaskNumber: ParsableArguments {
  @Argument(help: "The task's number.")
  var id: Int

  /// Sends a request to a path below the task's.
  func ask(
    _ common: CommonOptions, _ method: HTTPMethod = .GET, rest: String = "",
    body: JSONValue? = nil, seconds: Int64 = 60
  ) async throws -> JSONValue {
    try await common.runningHost().request(
      method, "tasks/\(id)\(rest)", body: body, timeout: .seconds(seconds))
  }
}

/// Shows tasks.
struct TaskList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show tasks, newest first.",
    discussion: "Example: agent task list --status failed,dead")

  @OptionGroup var common: CommonOptions

  @Option(help: "Only tasks in these states, separated by commas.")
  var status: String?

  @Option(help: "Only tasks of this type.")
  var type: String?

  @Option(help: "Only tasks of this bot.")
  var bot: String?

  @Option(help: "Only tasks with this tag.")
  var tag: String?

  @Option(name: .customLong("search"), help: "Only tasks with this text.")
  var text: String?

  @Option(help: "Only tasks of this batch.")
  var batch: Int?

  @Option(help: "Sort by created, updated, priority, due or name.")
  var sort: String?

  @Flag(help: "Smallest or oldest first.")
  var ascending = false

  @Option(help: "Maximum number of results, 1 to 1000.")
  var limit = 100

  @Option(help: "Number of tasks to skip.")
  var offset: Int?

  func run() async throws {
    let host = try common.runningHost()
    var (answer, found) = (JSONObject(), [JSONValue]())
    var (before, offset) = (String?.none, offset)
    // A page may have fewer tasks than its limit, because the host reads only a part of many.
    // Further pages follow until there are enough.
    repeat {
      let page = try await host.request(
        .GET, path(limit - found.count, before: before, offset: offset))
      answer = page.object ?? [:]
      found += page["tasks"]?.array ?? []
      (before, offset) = (page["before"]?.string, page["offset"]?.int)
    } while before != nil && found.count < limit
    answer["tasks"] = .array(found)
    common.show(.object(answer), as: Self.table)
  }

  private func path(_ limit: Int, before: String?, offset: Int?) -> String {
    HostClient.path(
      "tasks", ("limit", "\(limit)"), ("status", status), ("type", type), ("bot", bot),
      ("tag", tag), ("q", text), ("batch", batch.map(String.init)), ("sort", sort),
      ("order", ascending ? "asc" : nil), ("offset", offset.map(String.init)), ("before", before))
  }

  static func table(_ answer: JSONValue) -> String {
    let rows = (answer["tasks"]?.array ?? []).map { task in
      [
        task["id"]?.string ?? "", task["status"]?.string ?? "", task["type"]?.string ?? "",
        task["priority_name"]?.string ?? "", "\(task["attempt"]?.int ?? 0)",
        Terminal.age(task["updated"]), task["name"]?.string ?? "",
      ]
    }
    guard !rows.isEmpty else { return "No tasks." }
    return Terminal.table(
      [["ID", "STATUS", "TYPE", "PRIORITY", "ATTEMPT", "CHANGED", "NAME"]] + rows)
  }
}

/// Shows one task.
struct TaskShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a task with its result and history.",
    discussion: "Example: agent task show 7")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  func run() async throws {
    common.show(try await task.ask(common), keeping: TaskText.blocks, as: TaskText.whole)
  }
}

/// Tasks as text for people.
enum TaskText {
  /// The keys of texts that may have several lines.
  static let blocks = TextBlocks.under(["description", "input", "progress", "result"])

  private static let dates = [
    ("created", "created"), ("run_at", "to run at"), ("due_date", "due"), ("started", "started"),
    ("finished", "ended"),
  ]

  static func whole(_ task: JSONValue) -> String {
    var lines = [
      "\(task["name"]?.string ?? "") (task \(task["id"]?.string ?? ""), "
        + "\(task["type"]?.string ?? ""), \(status(task)))"
    ]
    if let text = task["description"]?.string { lines.append(text) }
    for (key, label) in dates where task[key] != nil {
      lines.append("  \(label): \(Moment.minute(task[key]))")
    }
    for key in ["run_command", "bot", "owner", "batch", "parent", "schedule", "created_by"] {
      if let value = task[key]?.string { lines.append("  \(key): \(value)") }
    }
    if let input = task["input"] { lines.append("  input: \(input.text())") }
    if let progress = task["progress"] { lines.append("  progress: \(progress.text())") }
    if let result = task["result"] { lines.append(self.result(result)) }
    lines.append("\nHistory")
    for step in task["history"]?.array ?? [] {
      let by = step["by"]?.string.map { " by \($0)" } ?? ""
      let note = step["note"]?.string.map { ": \($0)" } ?? ""
      lines.append(
        "  \(Moment.minute(step["at"]))  \(step["state"]?.string ?? "")\(by)\(note)")
    }
    for file in task["artifacts"]?.array ?? [] {
      lines.append("  file \(file["name"]?.string ?? "") (\(file["size"]?.int ?? 0) bytes)")
    }
    return lines.joined(separator: "\n")
  }

  private static func status(_ task: JSONValue) -> String {
    let status = task["status"]?.string ?? ""
    switch status {
    case "failed", "dead": return Terminal.styled(status, .bad)
    case "cancelled": return Terminal.styled(status, .doubtful)
    default: return status
    }
  }

  /// Returns the output unchanged, or the error.
  static func result(_ result: JSONValue) -> String {
    let seconds = result["execution_time"]?.double ?? 0
    if let error = result["error"]?.string {
      return "\n" + Terminal.styled("Error after \(seconds) s: \(error)", .bad)
    }
    let output = result["output"] ?? .null
    return "\nOutput after \(seconds) s:\n" + (output.string ?? output.text(pretty: true))
  }

  /// Returns one line about the state of a task.
  static func line(_ task: JSONValue) -> String {
    "Task \(task["id"]?.string ?? "") is \(status(task)): \(task["name"]?.string ?? "")"
  }
}
