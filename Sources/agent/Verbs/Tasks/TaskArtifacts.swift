internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Lists and prints the artifacts of a task.
struct TaskArtifacts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "artifacts", abstract: "List a task's artifacts, or get one.",
    discussion: """
      A command creates an artifact by writing a file into the folder $AGENT_ARTIFACTS.

      Example: agent task artifacts 7
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  @Option(help: "Write this artifact to standard output, or to the file of --output.")
  var get: String?

  @Option(help: "A file that doesn't exist yet.")
  var output: String?

  func run() async throws {
    let path = "tasks/\(task.id)/artifacts"
    guard let get else {
      return common.show(try await common.runningHost().request(.GET, path), as: Self.text)
    }
    let bytes = try await common.runningHost().bytes(
      .GET, "\(path)/\(HostClient.escaped(get))")
    guard let output else { return Terminal.copy(bytes) }
    try Files.create(output, with: bytes)
    Terminal.remark("\(output) has \(bytes.count) bytes.")
  }

  private static func text(_ answer: JSONValue) -> String {
    let rows = (answer["artifacts"]?.array ?? []).map { file in
      [
        file["name"]?.string ?? "", "\(file["size"]?.int ?? 0)",
        file["media_type"]?.string ?? "", Terminal.age(file["timestamp"]),
      ]
    }
    guard !rows.isEmpty else { return "No files." }
    return Terminal.table([["NAME", "BYTES", "TYPE", "AGE"]] + rows)
  }
}
