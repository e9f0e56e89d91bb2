internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Executes a task.
struct TaskExecute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "execute", abstract: "Execute a task that waits or has ended.",
    discussion: "Example: agent task execute 7 --data '{\"day\": \"monday\"}' --wait")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  @Option(help: "Replaces its input, or is merged into it if both are objects: JSON, or @FILE.")
  var data: String?

  @Flag(help: "Wait until the task ends.")
  var wait = false

  func run() async throws {
    var body = JSONObject()
    if let data { body["data"] = try TaskOptions.json(data) }
    let answer = try await task.ask(common, .POST, rest: "/execute", body: .object(body))
    if wait {
      try await TaskWait.show(task, common, seconds: 3600)
    } else {
      common.show(answer, as: TaskText.line)
    }
  }
}

/// Changes a task.
struct TaskEditVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a task.",
    discussion: "Example: agent task edit 7 --priority high")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  @Option(help: "The task's name.")
  var name: String?

  @Option(help: "A description.")
  var description: String?

  @Option(help: "Priority: low, normal, high, critical, or a number from 0 to 1000.")
  var priority: String?

  @Option(help: "Due date: 2026-11-30 or 2026-11-30 16:00.")
  var due: String?

  func run() async throws {
    var body = JSONObject()
    body["name"] = name.map(JSONValue.string)
    body["description"] = description.map(JSONValue.string)
    body["priority"] = priority.map(TaskOptions.priority)
    body["due_date"] = try due.map(TaskOptions.moment)
    guard !body.isEmpty else {
      throw Failure("Give at least one change: --name, --description, --priority or --due.")
    }
    common.show(
      try await task.ask(common, .PATCH, body: .object(body)), as: TaskText.line)
  }
}

/// Cancels a task.
struct TaskCancel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancel a task; a running task is asked to stop.",
    discussion: "Example: agent task cancel 7 --note \"not needed any more\"")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  @Flag(help: "Cancel at once, without waiting for the task to stop.")
  var force = false

  @Option(help: "A note for others.")
  var note: String?

  func run() async throws {
    var body = JSONObject()
    if force { body["force"] = true }
    body["note"] = note.map(JSONValue.string)
    let answer = try await task.ask(common, .POST, rest: "/cancel", body: .object(body))
    common.show(answer) { answer in
      answer["cancelling"] == nil
        ? TaskText.line(answer) : "Task \(answer["id"]?.string ?? "") was asked to stop."
    }
  }
}

/// Retries tasks.
struct TaskRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Retry tasks that have ended without success.",
    discussion: """
      Retries one task by number, or all dead or failed ones, optionally of one type.

      Example: agent task retry --dead --type command
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The task's number.")
  var id: Int?

  @Flag(help: "All dead tasks, which have used all their attempts.")
  var dead = false

  @Flag(help: "All failed tasks.")
  var failed = false

  @Option(help: "Only tasks of this type.")
  var type: String?

  func run() async throws {
    let host = try common.runningHost()
    if let id {
      common.show(try await host.request(.POST, "tasks/\(id)/retry"), as: TaskText.line)
      return
    }
    let states = (dead ? ["dead"] : []) + (failed ? ["failed"] : [])
    guard !states.isEmpty else {
      throw Failure("Give a task's number, --dead or --failed.")
    }
    var body: JSONObject = ["status": .array(states.map { .string($0) })]
    body["type"] = type.map(JSONValue.string)
    let answer = try await host.request(.POST, "task-retrials", body: .object(body))
    common.show(answer) { answer in
      let count = answer["retried"]?.int ?? 0
      return count == 1 ? "1 task is retried." : "\(count) tasks are retried."
    }
  }
}

/// Creates a new task with the definition of another.
struct TaskRerun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rerun", abstract: "Create a new task with the same definition.",
    discussion: "Example: agent task rerun 7")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  func run() async throws {
    common.show(try await task.ask(common, .POST, rest: "/rerun"), as: TaskText.line)
  }
}

/// Removes a task.
struct TaskDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a task that isn't running.",
    discussion: "Example: agent task delete 7")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  func run() async throws {
    common.show(try await task.ask(common, .DELETE)) { answer in
      "Task \(answer["id"]?.string ?? "") is deleted: \(answer["name"]?.string ?? "")"
    }
  }
}
