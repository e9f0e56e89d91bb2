internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Tables of assignments.
enum AssignmentTable {
  static func text(_ answer: JSONValue) -> String {
    let rows = (answer["assignments"]?.array ?? []).map { assignment in
      [
        assignment["id"]?.string ?? "", assignment["task_id"]?.string ?? "",
        assignment["bot_id"]?.string ?? "", assignment["status"]?.string ?? "",
        Terminal.age(assignment["created"]),
        assignment["task"]?["name"]?.string ?? assignment["decision"]?["reason"]?.string ?? "",
      ]
    }
    guard !rows.isEmpty else { return "No assignments." }
    return Terminal.table([["ID", "TASK", "BOT", "STATUS", "AGE", "WHAT"]] + rows)
  }
}

/// Lists the tasks that were assigned to bots.
struct BotTasks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tasks", abstract: "Show assignments, newest first.",
    discussion: "Example: agent bot tasks --status pending")

  @OptionGroup var common: CommonOptions

  @Option(help: "Only assignments of this bot.")
  var bot: String?

  @Option(
    help: "Only this state: pending, accepted, rejected, timed_out, completed, failed or withdrawn."
  )
  var status: String?

  @Option(help: "Maximum number of results, 1 to 1000.")
  var limit = 100

  func run() async throws {
    let path = HostClient.path(
      "assignments", ("bot", bot), ("status", status), ("limit", "\(limit)"))
    common.show(try await common.runningHost().request(.GET, path), as: AssignmentTable.text)
  }
}

/// Shows the tasks that wait for people.
struct BotInbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox", abstract: "Show people's open assignments.",
    discussion: """
      A person is a bot of the type user with this name, or with this user in its metadata.

      Example: agent bot inbox --user ada
      """)

  @OptionGroup var common: CommonOptions

  @Option(help: "The person; everyone by default.")
  var user: String?

  func run() async throws {
    let path = HostClient.path("inbox", ("user", user))
    common.show(try await common.runningHost().request(.GET, path), as: AssignmentTable.text)
  }
}

/// The number of an assignment.
struct AssignmentNumber: ParsableArguments {
  @Argument(help: "The assignment's number.")
  var id: Int

  func say(_ verb: String, _ common: CommonOptions, body: JSONObject) async throws {
    let answer = try await common.runningHost()
      .request(.POST, "assignments/\(id)/\(verb)", body: .object(body))
    common.show(answer) { "The assignment \(id) is \($0["status"]?.string ?? "")." }
  }
}

/// Accepts an assignment.
struct BotAccept: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Accept an assignment.",
    discussion: "Example: agent bot accept 7")

  @OptionGroup var common: CommonOptions
  @OptionGroup var assignment: AssignmentNumber

  func run() async throws { try await assignment.say("accept", common, body: [:]) }
}

/// Rejects an assignment.
struct BotReject: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reject", abstract: "Reject an assignment; the task is offered to other bots.",
    discussion: "Example: agent bot reject 7 --reason \"I am away\"")

  @OptionGroup var common: CommonOptions
  @OptionGroup var assignment: AssignmentNumber

  @Option(help: "Why.")
  var reason: String?

  func run() async throws {
    var body = JSONObject()
    body["reason"] = reason.map { .string($0) }
    try await assignment.say("reject", common, body: body)
  }
}

/// Ends an assignment.
struct BotComplete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "Report that an assignment is done or has failed.",
    discussion: "Example: agent bot complete 7 --result '{\"rows\":3}'")

  @OptionGroup var common: CommonOptions
  @OptionGroup var assignment: AssignmentNumber

  @Option(help: "The result: JSON, or any text.")
  var result: String?

  @Option(help: "The reason of a failure; the assignment then counts as failed.")
  var error: String?

  func run() async throws {
    var body: JSONObject = ["success": .bool(error == nil)]
    body["result"] = result.map { (try? JSONValue(parsing: Array($0.utf8))) ?? .string($0) }
    body["error"] = error.map { .string($0) }
    try await assignment.say("complete", common, body: body)
  }
}

/// Explains the assignment of a task.
struct BotExplain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain for each bot why it would or would not get a task.",
    discussion: "Example: agent bot explain 7")

  @OptionGroup var common: CommonOptions

  @Argument(help: "The task's number.")
  var task: Int

  func run() async throws {
    let answer = try await common.runningHost().request(.GET, "tasks/\(task)/candidates")
    common.show(answer, as: Self.text)
  }

  private static func text(_ answer: JSONValue) -> String {
    var lines = [answer["reason"]?.string ?? answer["decision"]?["reason"]?.string ?? ""]
    for bot in answer["bots"]?.array ?? [] {
      let name = "\(bot["name"]?.string ?? "") (\(bot["bot"]?.string ?? ""))"
      let reasons = (bot["reasons"]?.array ?? []).compactMap { $0["message"]?.string }
      if bot["eligible"]?.bool == true {
        let score = bot["score"]?["score"]?.int ?? 0
        lines.append("  \(bot["place"]?.int ?? 0). \(name): score \(score)")
      } else {
        lines.append("  \(name): \(reasons.joined(separator: "; "))")
      }
    }
    return lines.joined(separator: "\n")
  }
}
