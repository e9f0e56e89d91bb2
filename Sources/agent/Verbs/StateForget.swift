internal import AgentJSON
internal import ArgumentParser

/// Forgets all that a process keeps.
struct StateForget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Forget all that a process keeps and has kept.",
    discussion: """
      Values, history and versions go: it begins as one that never ran. It must not run meanwhile. \
      Nothing brings it back but a file of agent state export, made before.

      Example: agent state forget machine
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The process, or module:NAME for what a module offers besides.")
  var owner: String

  func run() async throws {
    let answer = try await StateSource(common: common).forget(owner)
    common.show(answer) { answer in
      let keys = answer["keys"]?.int ?? 0
      return "\(owner) keeps nothing any more; it was \(keys) key\(keys == 1 ? "" : "s")."
    }
  }
}
