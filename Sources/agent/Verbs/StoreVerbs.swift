internal import AgentDiagnostics
internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import AgentWorkers
internal import ArgumentParser
internal import NIOCore
internal import NIOHTTP1

/// The verbs for the agent's database.
struct StoreVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Maintain the agent's database.",
    discussion: """
      store.max_bytes in the settings limits its size.

      Example: agent store compact
      """,
    subcommands: [Compact.self])

  /// Makes the file smaller.
  struct Compact: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compact",
      abstract: "Return unused space to the file system, even while the agent runs.",
      discussion: """
        Removed data leaves gaps in the file, which later events fill. This moves pages from its \
        end into the gaps and truncates it, in steps between which other writes run.

        Example: agent store compact
        """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
      let released: Int
      if let host = try common.host() {
        let answer = try await host.request(.POST, "store/compact", timeout: .hours(24))
        released = answer["released_bytes"]?.int ?? 0
      } else {
        do {
          released = Int(clamping: try await StoreFile.compact(try common.folder()))
        } catch let error as HostError {
          throw Failure(error.message, exit: error.code == .notFound ? .notFound : .failure)
        }
      }
      common.show(["released_bytes": JSONValue(released)]) { _ in
        released == 0
          ? "The database has no unused space."
          : "The database is \(max(1, released >> 10)) KB smaller."
      }
    }
  }
}
