internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import AgentTasks
internal import ArgumentParser
internal import Synchronization
internal import UnixSignals

/// Lets a program, or a function, be a bot.
struct BotRun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Be a bot: run a command for each task that it is given.",
    discussion: """
      The command is what a task of the type command may have: a program with its arguments, \
      python:FILE.py:FUNCTION or node:FILE.js:FUNCTION. It runs in the current folder and finds \
      the task on its standard input, or as its argument; what it prints or returns is the \
      result. A bot of that name that is registered already is taken over.

      Ctrl-C lets it end what it has; it is offline then, and others get what comes.

      Example: agent bot run Bo --capabilities check:review --command cat
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var words: BotWords

  @Option(help: "What does a task.")
  var command: String

  @Option(
    help: "The priorities it is best given, separated by commas: low, normal, high, critical.")
  var prefers: String?

  func run() async throws {
    let folder = try common.folder().path
    let executor: CommandExecutor
    do throws(TaskError) {
      var options = CommandExecutor.Options(folder: Files.absolute("."))
      // It is its own: it may see what its user sees.
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
    // From the beginning: who is told to end before it has begun has still to say so.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let client = try await BotClient.register(.object(body), at: common.runningHost())
    Terminal.remark("\(words.name) is \(client.id). Ctrl-C ends it.")
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
    Terminal.remark("It takes nothing new, and ends what it has.")
    try? await client.say("draining")
  }
}
