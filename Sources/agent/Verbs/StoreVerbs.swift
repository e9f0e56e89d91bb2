internal import AgentDiagnostics
internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import AgentWorkers
internal import ArgumentParser
internal import NIOCore
internal import NIOHTTP1

/// The agent's database.
struct StoreVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Look after the agent's database.",
    discussion: """
      How much room it may take is store.max_bytes in the settings.

      Example: agent store compact
      """,
    subcommands: [Compact.self])

  /// Makes the file smaller.
  struct Compact: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compact",
      abstract: "Give the room of what was removed back to the disk, also while the agent runs.",
      discussion: """
        What is removed leaves gaps in the file that later events fill. This moves pages from its \
        end into the gaps and cuts it off, in steps between which others write.

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
          ? "The database has no room to give back."
          : "The database is \(max(1, released >> 10)) KB smaller."
      }
    }
  }
}
