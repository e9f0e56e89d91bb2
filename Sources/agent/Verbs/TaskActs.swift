internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Asks for a task to be done.
struct TaskExecute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "execute", abstract: "Have a task done that waits, or has ended.",
    discussion: "Example: agent task execute 7 --data '{\"day\": \"monday\"}' --wait")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  @Option(help: "In place of its input, or merged into it when both are objects: JSON, or @FILE.")
  var data: String?

  @Flag(help: "Wait for its end.")
  var wait = false

  func run() async throws {
    var body = JSONObject()
    if let data { body["data"] = try TaskOptions.json(data) }
    let answer = try await task.ask(common, .POST, "/execute", body: .object(body))
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

  @Option(help: "What people call it.")
  var name: String?

  @Option(help: "For people.")
  var description: String?

  @Option(help: "low, normal, high, critical, or a number from 0 to 1000.")
  var priority: String?

  @Option(help: "When it should be done: 2026-11-30 or 2026-11-30 16:00.")
  var due: String?

  func run() async throws {
    var body = JSONObject()
    body["name"] = name.map(JSONValue.string)
    body["description"] = description.map(JSONValue.string)
    body["priority"] = priority.map(TaskOptions.priority)
    body["due_date"] = try due.map(TaskOptions.moment)
    guard !body.isEmpty else {
      throw Failure("Say what is to be changed: --name, --description, --priority or --due.")
    }
    common.show(
      try await task.ask(common, .PATCH, body: .object(body)), as: TaskText.line)
  }
}

/// Gives a task up.
struct TaskCancel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Give a task up; one that is running is asked to stop.",
    discussion: "Example: agent task cancel 7 --note \"not needed any more\"")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  @Flag(help: "Don't wait until who does it has stopped.")
  var force = false

  @Option(help: "What others should know.")
  var note: String?

  func run() async throws {
    var body = JSONObject()
    if force { body["force"] = true }
    body["note"] = note.map(JSONValue.string)
    let answer = try await task.ask(common, .POST, "/cancel", body: .object(body))
    common.show(answer) { answer in
      answer["cancelling"] == nil
        ? TaskText.line(answer) : "Task \(answer["id"]?.string ?? "") was asked to stop."
    }
  }
}

/// Tries tasks again.
struct TaskRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Try tasks again that have ended without success.",
    discussion: """
      One by its number, or with --dead or --failed all of that state, of one type if that is given.

      Example: agent task retry --dead --type command
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The task's number.")
  var id: Int?

  @Flag(help: "All that were tried as often as they may be.")
  var dead = false

  @Flag(help: "All that have failed.")
  var failed = false

  @Option(help: "Only those of this type.")
  var type: String?

  func run() async throws {
    let host = try common.runningHost()
    if let id {
      common.show(try await host.request(.POST, "tasks/\(id)/retry"), as: TaskText.line)
      return
    }
    let states = (dead ? ["dead"] : []) + (failed ? ["failed"] : [])
    guard !states.isEmpty else {
      throw Failure("Say which: a task's number, --dead or --failed.")
    }
    var body: JSONObject = ["status": .array(states.map { .string($0) })]
    body["type"] = type.map(JSONValue.string)
    let answer = try await host.request(.POST, "task-retrials", body: .object(body))
    common.show(answer) { answer in
      let count = answer["retried"]?.int ?? 0
      return count == 1 ? "1 task is tried again." : "\(count) tasks are tried again."
    }
  }
}

/// Does the same once more.
struct TaskRerun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rerun", abstract: "Create a task that is to do the same once more.",
    discussion: "Example: agent task rerun 7")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  func run() async throws {
    common.show(try await task.ask(common, .POST, "/rerun"), as: TaskText.line)
  }
}

/// Removes a task.
struct TaskDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Remove a task that isn't being done.",
    discussion: "Example: agent task delete 7")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  func run() async throws {
    common.show(try await task.ask(common, .DELETE)) { answer in
      "Task \(answer["id"]?.string ?? "") is removed: \(answer["name"]?.string ?? "")"
    }
  }
}
