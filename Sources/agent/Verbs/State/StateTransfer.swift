internal import AgentJSON
internal import ArgumentParser

/// Prints the state of processes.
struct StateExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the state of processes, one JSON object per line.",
    discussion: """
      A line has owner, key, value, version and updated. The lines of one process are its state \
      at one moment. Earlier versions aren't printed.

      Example: agent state export machine
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The process; all processes by default.")
  var owner: String?

  func run() async throws {
    try await StateSource(common: common).export(owner) { bytes in
      Terminal.copy(bytes)
    }
  }
}

/// Sets the values of an export.
struct StateImport: AsyncParsableCommand {
  /// The maximum size of the file, in bytes.
  private static let limit = 256 << 20

  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import the lines of an export, all or none.",
    discussion: """
      Uses owner, key and value of each line. Other keys of a process stay, unless --replace.

      Example: agent state import state.jsonl
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The file, or - for standard input.")
  var file: String

  @Flag(help: "Delete all other keys of the processes in the file.")
  var replace = false

  func run() async throws {
    let lines = file == "-" ? StandardInput.all() : try Files.read(file, most: Self.limit + 1)
    guard lines.count <= Self.limit else {
      throw Failure(
        "\(file) has more than \(Self.limit) bytes. Import it in parts, each with whole lines.")
    }
    let answer = try await StateSource(common: common).import(lines, replacing: replace)
    common.show(answer) { answer in
      func count(_ name: String) -> Int { answer[name]?.int ?? 0 }
      let processes = count("owners") == 1 ? "1 process" : "\(count("owners")) processes"
      return "\(processes): \(count("set")) set, \(count("removed")) removed, "
        + "\(count("unchanged")) as they were."
    }
  }
}
