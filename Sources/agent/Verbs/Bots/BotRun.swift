internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import AgentTasks
internal import ArgumentParser
internal import Synchronization
internal import UnixSignals

/// Makes a program or a function a bot.
struct BotRun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a bot that executes a command for each of its tasks.",
    discussion: """
      The command has the forms of a task's command: a program with its arguments, \
      python:FILE.py:FUNCTION or node:FILE.js:FUNCTION. It runs in the current folder and finds \
      the task on its standard input, or as its argument; what it prints or returns is the \
      result. If a bot with that name exists already, this program becomes that bot.

      Ctrl-C finishes the current tasks and sets the bot offline.

      Example: agent bot run Bo --capabilities check:review --command cat
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var words: BotWords

  @Option(help: "The command that executes a task.")
  var command: String

  @Option(
    help: "Its preferred priorities, separated by commas: low, normal, high, critical.")
  var prefers: String?

  func run() async throws {
    let folder = try common.folder().path
    let executor: CommandExecutor
    do throws(TaskError) {
      var options = CommandExecutor.Options(folder: Files.absolute("."))
      // The bot runs as the user's own program, so it gets the user's environment.
      options.environment = Environment.all
      options.environment["AGENT_FOLDER"] = folder
      executor = CommandExecutor(options, fixed: try CommandRequest(command))
    } catch {
      throw Failure(error.message, exit: .usage)
    }
    guard case .object(var body) = try words.body() else { return }
    body["priority_preference"] = prefers.map { text in
      .array(text.split(separator: ",").map { .string(String($0)) })
    }
    // Signals are caught before the registration. Otherwise an early signal would leave the bot
    // online.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let client = try await BotClient.register(.object(body), at: common.runningHost())
    Terminal.remark("\(words.name) is \(client.id). Ctrl-C stops it.")
    await client.serve(
      until: {
        for await _ in signals { return await Self.drain(client) }
      }, tell: { Terminal.remark($0) }
    ) { work, _ in
      do {
        return try await executor.run(work)
      } catch {
        return .failed(error: "\(error)")
      }
    }
    try await client.say("offline")
  }

  private static func drain(_ client: BotClient) async {
    Terminal.remark("The bot takes no new tasks and finishes its current ones.")
    try? await client.say("draining")
  }
}
