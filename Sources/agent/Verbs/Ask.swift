internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Asks the running agent a question.
struct Ask: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Ask a question; the logic adapter with the highest confidence answers.",
    discussion: """
      Exit codes: 0 there is an answer, 1 no adapter had one, 3 the agent isn't running.

      Example: agent ask "how busy is the machine?"
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The question. It needs no quotes.")
  var words: [String]

  func run() async throws {
    let text = words.joined(separator: " ")
    let reply = try await common.runningHost().request(
      .POST, "chat/messages", body: ["text": .string(text)])
    common.show(reply, keeping: .under(["text"])) {
      $0["text"]?.string ?? "No logic adapter has an answer."
    }
    for candidate in reply["candidates"]?.array ?? [] {
      guard !common.json, let message = candidate["error"]?["message"]?.string else { continue }
      Terminal.complain("\(candidate["adapter"]?.string ?? "?") could not be asked: \(message)")
    }
    if reply["text"]?.string == nil { throw Failure.alreadySaid }
  }
}
