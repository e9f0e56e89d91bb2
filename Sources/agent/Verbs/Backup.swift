internal import AgentDiagnostics
internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import AgentWorkers
internal import ArgumentParser
internal import NIOCore
internal import NIOHTTP1

/// Copies the agent's database.
struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the agent's database, even while it runs.",
    discussion: """
      The copy is checked before it gets its name. An existing file is never \
      replaced. docs/store.md says how to restore a backup.

      Example: agent backup before-update.db
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The file to write.")
  var file: String

  func run() async throws {
    let path = Files.absolute(file)
    if let host = try common.host() {
      _ = try await host.request(
        .POST, "backup", body: ["file": .string(path)], timeout: .hours(24))
    } else {
      do {
        try await StoreFile.backup(of: try common.folder(), to: path)
      } catch let error as HostError {
        throw Failure(error.message, exit: error.code == .notFound ? .notFound : .failure)
      }
    }
    common.show(["file": .string(path)]) { _ in "\(file) is a copy of the database." }
  }
}
