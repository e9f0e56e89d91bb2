internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Shows the log of a task.
struct TaskLogs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logs", abstract: "Show a task's log.",
    discussion: "Example: agent task logs 7")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  @Option(help: "Only lines after this number.")
  var after = 0

  @Option(help: "Maximum number of results, 1 to 1000.")
  var limit = 1000

  func run() async throws {
    let answer = try await task.ask(common, .GET, rest: "/logs?after=\(after)&limit=\(limit)")
    common.show(answer, keeping: .under(["text"])) { answer in
      (answer["lines"]?.array ?? []).map { line in
        let text = line["text"]?.string ?? ""
        return line["stream"]?.string == "stdout"
          ? text : Terminal.styled("\(line["stream"]?.string ?? ""): \(text)", .quiet)
      }.joined(separator: "\n")
    }
  }
}

/// Explains why a task isn't done.
struct TaskExplain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain why a task isn't done yet.",
    discussion: "Example: agent task explain 7")

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  func run() async throws {
    common.show(try await task.ask(common, .GET, rest: "/explain")) { answer in
      let reasons = (answer["reasons"]?.array ?? []).compactMap(\.string)
      return
        (["Task \(answer["id"]?.string ?? "") is \(answer["status"]?.string ?? "")."]
        + reasons.map { "  \($0)" }).joined(separator: "\n")
    }
  }
}

/// Shows the types of tasks.
struct TaskTypes: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types", abstract: "Show the types of tasks.",
    discussion: "Example: agent task types")

  @OptionGroup var common: CommonOptions

  func run() async throws {
    common.show(try await common.runningHost().request(.GET, "task-types")) { answer in
      let rows = (answer["types"]?.array ?? []).map { type in
        ["name", "done_by", "source", "description"].map { type[$0]?.string ?? "" }
      }
      guard !rows.isEmpty else { return "No types." }
      return Terminal.table([["TYPE", "DONE BY", "FROM", "DESCRIPTION"]] + rows)
    }
  }
}

/// Creates tasks as a batch.
struct TaskBatchVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Create tasks together, all or none.",
    discussion: """
      Takes a list of objects as in POST /api/v1/tasks: name, type, input, status …

      Example: agent task batch checks --tasks @tasks.json
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The batch's name.")
  var name: String

  @Option(help: "The tasks, as JSON; @FILE reads a file, - standard input.")
  var tasks: String

  func run() async throws {
    let body: JSONValue = ["name": .string(name), "tasks": try TaskOptions.json(tasks)]
    let answer = try await common.runningHost().request(.POST, "task-batches", body: body)
    common.show(answer) { answer in
      let count = answer["tasks"]?.array?.count ?? 0
      return "Batch \(answer["batch"]?.string ?? "") has \(count) \(count == 1 ? "task" : "tasks")."
    }
  }
}

/// Shows batches.
struct TaskBatches: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batches", abstract: "Show batches of tasks, newest first.",
    discussion: "Example: agent task batches")

  @OptionGroup var common: CommonOptions

  @Option(help: "Maximum number of results, 1 to 1000.")
  var limit = 100

  func run() async throws {
    let answer = try await common.runningHost().request(.GET, "task-batches?limit=\(limit)")
    common.show(answer) { answer in
      let rows = (answer["batches"]?.array ?? []).map { batch in
        [batch["id"]?.string ?? ""]
          + ["total", "pending", "unsuccessful"].map { "\(batch[$0]?.int ?? 0)" }
          + [Terminal.age(batch["created"]), batch["name"]?.string ?? ""]
      }
      guard !rows.isEmpty else { return "No batches." }
      return Terminal.table(
        [["ID", "TASKS", "NOT ENDED", "WITHOUT SUCCESS", "AGE", "NAME"]] + rows)
    }
  }
}
