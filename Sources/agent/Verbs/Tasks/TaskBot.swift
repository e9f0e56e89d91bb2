internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// TaskBot's command line, on the same bots and tasks.
struct TaskBotVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "taskbot", abstract: "TaskBot's command line: bots, tasks and assignments.",
    discussion: """
      A link to this program with the name taskbot does the same.

      Example: agent taskbot status
      """,
    subcommands: [
      TaskBotRegister.self, TaskBotList.self, TaskBotCreate.self, TaskBotAssign.self,
      TaskBotAssignments.self, TaskBotStrategy.self, TaskBotStatus.self, TaskBotHealth.self,
    ])

  /// Returns the arguments. If the program was called by a link named taskbot, all of them belong
  /// to TaskBot's command line. Options before the verb are moved behind it.
  static func words(_ arguments: [String]) -> [String] {
    var words = Array(arguments.dropFirst())
    let name = arguments.first?.split(separator: "/").last
    if name == "taskbot" { words.insert("taskbot", at: 0) }
    guard words.count > 2, words[0] == "taskbot", ["--verbose", "-v"].contains(words[1]),
      !words[2].hasPrefix("-")
    else { return words }
    words.insert(words.remove(at: 1), at: 2)
    return words
  }
}

/// The options of every verb of TaskBot.
struct TaskBotOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions

  @Flag(name: [.short, .long], help: "Print requests and responses.")
  var verbose = false

  /// Sends a request to TaskBot's API.
  func ask(_ method: HTTPMethod, _ path: String, body: JSONValue? = nil) async throws -> JSONValue {
    let host = try common.runningHost()
    if verbose { Terminal.remark("\(method) /api/taskbot/\(path) \(body?.text() ?? "")") }
    let answer = try await host.request(method, "/api/taskbot/\(path)", body: body)
    if verbose { Terminal.remark(answer.text()) }
    return answer
  }

  func show(_ value: JSONValue, as text: (JSONValue) -> String) { common.show(value, as: text) }
}

/// Registers a bot.
struct TaskBotRegister: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register-bot", abstract: "Register a bot.",
    discussion: """
      Each capability is NAME:TASK_TYPE[,TASK_TYPE…][:BOOST]; the option may be repeated.

      Example: agent taskbot register-bot MyBot --capabilities "coding:custom"
      """)

  @OptionGroup var options: TaskBotOptions
  @OptionGroup var words: BotWords

  func run() async throws {
    let answer = try await options.ask(.POST, "bots/register", body: words.body())
    options.show(answer) { "Registered \(words.name): \($0["bot_id"]?.string ?? "")" }
  }
}

/// Lists bots.
struct TaskBotList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-bots", abstract: "List the bots.",
    discussion: "Example: agent taskbot list-bots")

  @OptionGroup var options: TaskBotOptions

  func run() async throws {
    options.show(try await options.ask(.GET, "bots"), as: BotTable.text)
  }
}

/// Creates a task.
struct TaskBotCreate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create-task", abstract: "Create a task and queue it.",
    discussion: "Example: agent taskbot create-task Check --task-type system_health")

  @OptionGroup var options: TaskBotOptions

  @Argument(help: "The task's name.")
  var name: String

  @Option(help: "The task's type.")
  var taskType: String

  @Option(help: "Priority: low, normal, high, critical, or 0 to 1000.")
  var priority = "normal"

  @Option(help: "A description.")
  var description: String?

  @Option(help: "The part of the system that the task concerns.")
  var subsystem: String?

  func run() async throws {
    var body: JSONObject = ["name": .string(name), "task_type": .string(taskType)]
    body["priority"] = TaskOptions.priority(priority)
    body["description"] = description.map { .string($0) }
    body["subsystem"] = subsystem.map { .string($0) }
    let answer = try await options.ask(.POST, "tasks", body: .object(body))
    options.show(answer) { "Created task \($0["task_id"]?.string ?? ""): \(name)" }
  }
}

/// Assigns a task.
struct TaskBotAssign: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assign-task",
    abstract: "Assign a task to a bot; without --bot-id, the strategy chooses one.",
    discussion: "Example: agent taskbot assign-task 7 --bot-id bot-0123456789abcdef")

  @OptionGroup var options: TaskBotOptions

  @Argument(help: "The task's id.")
  var task: Int

  @Option(help: "The bot; by default, the best available one.")
  var botID: String?

  func run() async throws {
    var body: JSONObject = ["task_id": .string("\(task)")]
    body["bot_id"] = botID.map { .string($0) }
    let answer = try await options.ask(.POST, "assignments", body: .object(body))
    options.show(answer) {
      "Task \(task) is assigned to \($0["bot_id"]?.string ?? "") "
        + "(assignment \($0["assignment_id"]?.string ?? ""))."
    }
  }
}

/// Lists assignments.
struct TaskBotAssignments: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-assignments", abstract: "List assignments.",
    discussion: "Example: agent taskbot list-assignments --status pending")

  @OptionGroup var options: TaskBotOptions

  @Option(help: "Only this state: pending, accepted, completed, failed …")
  var status: String?

  @Option(help: "Only assignments of this bot.")
  var botID: String?

  func run() async throws {
    let path = HostClient.path("assignments", ("status", status), ("bot_id", botID))
    options.show(try await options.ask(.GET, path), as: AssignmentTable.text)
  }
}

/// Chooses a strategy.
struct TaskBotStrategy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-strategy", abstract: "Set the strategy that chooses a bot for each task.",
    discussion: """
      One of best_fit, load_balanced, round_robin, priority_first, or a module's: MODULE/STRATEGY.

      Example: agent taskbot set-strategy load_balanced
      """)

  @OptionGroup var options: TaskBotOptions

  @Argument(help: "The strategy.")
  var strategy: String

  func run() async throws {
    let answer = try await options.ask(
      .POST, "system/config", body: ["assignment_strategy": .string(strategy)])
    options.show(answer) { "The strategy is \($0["assignment_strategy"]?.string ?? "")." }
  }
}

/// Shows the state of the whole system.
struct TaskBotStatus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show statistics of bots and tasks.",
    discussion: "Example: agent taskbot status")

  @OptionGroup var options: TaskBotOptions

  func run() async throws {
    options.show(try await options.ask(.GET, "system/stats"), as: BotStats.text)
  }
}

/// Shows whether the system is healthy.
struct TaskBotHealth: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Show the health of the system.",
    discussion: "Example: agent taskbot health")

  @OptionGroup var options: TaskBotOptions

  func run() async throws {
    options.show(try await options.ask(.GET, "system/health"), as: BotStats.text)
  }
}
