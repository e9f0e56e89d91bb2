internal import AgentAssignment
internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// The verbs for bots.
struct BotVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bot",
    abstract: "Register bots, show their status, answer assignments.",
    discussion: """
      A bot is a program or a person that takes tasks. Its capabilities decide which ones it gets.

      Example: agent bot list
      """,
    subcommands: [
      BotList.self, BotShow.self, BotRegister.self, BotStatusVerb.self, BotUnregister.self,
      BotStats.self, BotTasks.self, BotInbox.self, BotAccept.self, BotReject.self,
      BotComplete.self, BotExplain.self, BotRun.self, BotPools.self,
    ], defaultSubcommand: BotList.self)
}

extension HostClient {
  /// Returns all bots that match, page by page.
  func bots(
    type: String? = nil, status: String? = nil, taskType: String? = nil
  ) async throws -> JSONValue {
    var bots: [JSONValue] = []
    var after: String?
    repeat {
      let path = Self.path(
        "bots", ("type", type), ("status", status), ("task_type", taskType), ("after", after))
      let page = try await request(.GET, path)
      bots += page["bots"]?.array ?? []
      after = page["next"]?.string
    } while after != nil
    return ["bots": .array(bots)]
  }
}

/// Tables of bots.
enum BotTable {
  static func text(_ answer: JSONValue) -> String {
    let rows = (answer["bots"]?.array ?? []).map { bot in
      let types = (bot["capabilities"]?.array ?? []).flatMap { $0["task_types"]?.array ?? [] }
        .compactMap(\.string)
      return [
        bot["id"]?.string ?? "", bot["name"]?.string ?? "", bot["bot_type"]?.string ?? "",
        bot["status"]?.string ?? "",
        "\(bot["current_tasks"]?.int ?? 0)/\(bot["max_concurrent_tasks"]?.int ?? 0)",
        types.joined(separator: ","),
      ]
    }
    guard !rows.isEmpty else { return "No bots." }
    return Terminal.table([["ID", "NAME", "TYPE", "STATUS", "TASKS", "CAN DO"]] + rows)
  }
}

/// Shows bots.
struct BotList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show bots with their status and capabilities.",
    discussion: "Example: agent bot list --task-type data_backup")

  @OptionGroup var common: CommonOptions

  @Option(help: "Only bots of this type.")
  var type: String?

  @Option(help: "Only bots with this status: online, busy, draining, offline or error.")
  var status: String?

  @Option(help: "Only bots that can do this type of task.")
  var taskType: String?

  func run() async throws {
    let host = try common.runningHost()
    common.show(
      try await host.bots(type: type, status: status, taskType: taskType), as: BotTable.text)
  }
}

/// The id of a bot.
struct BotID: ParsableArguments {
  @Argument(help: "The bot's id.")
  var id: String

  func ask(
    _ common: CommonOptions, _ method: HTTPMethod = .GET, rest: String = "",
    body: JSONValue? = nil
  ) async throws -> JSONValue {
    try await common.runningHost().request(
      method, "bots/\(HostClient.escaped(id))\(rest)", body: body)
  }
}

/// Shows one bot.
struct BotShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a bot.",
    discussion: "Example: agent bot show bot-0123456789abcdef")

  @OptionGroup var common: CommonOptions
  @OptionGroup var bot: BotID

  func run() async throws {
    common.show(try await bot.ask(common), keeping: .all) { $0.text(pretty: true) }
  }
}

/// The attributes of a new bot.
struct BotWords: ParsableArguments {
  @Argument(help: "The bot's name.")
  var name: String

  @Option(help: "Type of bot: system, worker, monitor, specialist, assistant or user.")
  var botType = "worker"

  @Option(help: "Maximum number of tasks at once.")
  var maxConcurrent = 1

  @Option(
    parsing: .upToNextOption,
    help: "Capabilities, each as NAME:TASK_TYPE[,TASK_TYPE…][:BOOST].")
  var capabilities: [String] = []

  func body() throws -> JSONValue {
    let read = try capabilities.map { text in
      do throws(AssignmentProblem) {
        return JSONValue.object(try BotCapability(argument: text).json)
      } catch {
        throw Failure(error.message, exit: .usage)
      }
    }
    return [
      "name": .string(name), "bot_type": .string(botType),
      "max_concurrent_tasks": JSONValue(maxConcurrent), "capabilities": .array(read),
    ]
  }
}

/// Registers a bot.
struct BotRegister: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register", abstract: "Register a bot, and print its id.",
    discussion: """
      It is online at once. A program that does its tasks needs its own token: \
      agent token create NAME --scope execute --for-bot ID

      Example: agent bot register DataBot --capabilities "backup:data_backup:10"
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var words: BotWords

  func run() async throws {
    let answer = try await common.runningHost().request(.POST, "bots", body: words.body())
    common.show(answer) { $0["id"]?.string ?? "" }
  }
}

/// Sets the status of a bot.
struct BotStatusVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Set a bot's status: online, busy, draining, offline, error.",
    discussion: """
      draining finishes its tasks and takes no new ones; offline and error requeue its tasks.

      Example: agent bot status bot-0123456789abcdef draining
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var bot: BotID

  @Argument(help: "The status.")
  var status: String

  func run() async throws {
    let answer = try await bot.ask(common, .PUT, rest: "/status", body: ["status": .string(status)])
    common.show(answer) { "\($0["name"]?.string ?? "") is \($0["status"]?.string ?? "")." }
  }
}

/// Removes a bot from the registry.
struct BotUnregister: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister", abstract: "Unregister a bot; its tasks are requeued.",
    discussion: "Example: agent bot unregister bot-0123456789abcdef")

  @OptionGroup var common: CommonOptions
  @OptionGroup var bot: BotID

  func run() async throws {
    common.show(try await bot.ask(common, .DELETE)) { _ in "The bot is unregistered." }
  }
}

/// Shows the statistics of bots.
struct BotStats: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show statistics of a bot, or of all bots.",
    discussion: "Example: agent bot stats")

  @OptionGroup var common: CommonOptions

  @Argument(help: "The bot's id; all bots by default.")
  var id: String?

  func run() async throws {
    let path = id.map { "bots/\(HostClient.escaped($0))/stats" } ?? "bot-stats"
    common.show(try await common.runningHost().request(.GET, path), as: Self.text)
  }

  static func text(_ answer: JSONValue) -> String {
    let rows = (answer.object ?? JSONObject()).compactMap { key, value -> [String]? in
      switch value {
      case .object, .array: nil
      case .string(let text): [key, text]
      default: [key, value.text()]
      }
    }
    return Terminal.table(rows)
  }
}
