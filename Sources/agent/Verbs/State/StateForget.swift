internal import AgentJSON
internal import ArgumentParser

/// Removes the whole state of a process.
struct StateForget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Delete all state of a process, including its history.",
    discussion: """
      Deletes values, history and versions. The process must not run meanwhile. \
      Only an earlier agent state export can restore the state.

      Example: agent state forget machine
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The process, or module:NAME for a module's service worker.")
  var owner: String

  func run() async throws {
    let answer = try await StateSource(common: common).forget(owner)
    common.show(answer) { answer in
      let keys = answer["keys"]?.int ?? 0
      return "The state of \(owner) is deleted: \(keys) key\(keys == 1 ? "" : "s")."
    }
  }
}
