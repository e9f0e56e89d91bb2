internal import AgentJSON
internal import AgentLogging
internal import AgentModules
internal import AgentHost
internal import AgentSettings
internal import ArgumentParser
internal import Glibc

/// Shows the log, of one process or of all.
struct Logs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logs", abstract: "Show the log of a process, of the host, or of everything.",
    discussion: """
      Reads .agent/logs, even if the agent isn't running; -f also prints new lines.

      Example: agent logs machine -n 20
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "A process, or \"agent\" for the host; by default, everything.")
  var name: String?

  @Flag(name: .shortAndLong, help: "Follow: also print new lines.")
  var follow = false

  @Option(name: [.customShort("n"), .long], help: "Number of last lines to show.")
  var lines = 100

  func run() async throws {
    let folder = try common.folder()
    let files = try LogFiles.of(name, in: folder.logs)
    if !follow {
      for record in try LogFiles.last(lines, of: files) { show(record) }
      return
    }
    let host = try common.runningHost()
    let path = name.map { "logs?process=\(HostClient.escaped($0))" } ?? "logs"
    var newest = ""
    try await host.lines(path) { line in
      guard !line.isEmpty else {
        // The stream has every record from here on. Older records are in the files.
        for record in try LogFiles.last(lines, of: files) {
          show(record)
          newest = max(newest, record["timestamp"]?.string ?? "")
        }
        return true
      }
      guard let record = try? JSONValue(parsing: String(line)) else { return true }
      // The stream may repeat records that were read from the files. Records of the same
      // millisecond may appear twice.
      if (record["timestamp"]?.string ?? "") >= newest { show(record) }
      return true
    }
  }

  private func show(_ record: JSONValue) {
    if common.json { return Terminal.json(record) }
    Terminal.print(LogFiles.line(record))
  }
}

/// The files under `.agent/logs`.
enum LogFiles {
  /// The files of one process, or of all.
  static func of(_ name: String?, in folder: String) throws -> [String] {
    if let name {
      let file = "\(folder)/\(LogHub.fileName(of: name)).jsonl"
      guard access(file, R_OK) == 0 else {
        throw Failure(
          "There is no log of \"\(name)\" in \(folder). \"agent process list\" lists the "
            + "processes.", exit: .notFound)
      }
      return [file]
    }
    return FileSystem.names(in: folder).filter { $0.hasSuffix(".jsonl") }.map { "\(folder)/\($0)" }
  }

  /// Returns the last records of all files together, oldest first.
  static func last(_ count: Int, of files: [String]) throws -> [JSONValue] {
    var records: [(time: String, order: Int, record: JSONValue)] = []
    for file in files {
      let text = String(decoding: try Files.read(file, most: 4 << 20), as: UTF8.self)
      for line in text.split(separator: "\n").suffix(max(0, count)) {
        guard let record = try? JSONValue(parsing: String(line)) else { continue }
        records.append((record["timestamp"]?.string ?? "", records.count, record))
      }
    }
    records.sort { ($0.time, $0.order) < ($1.time, $1.order) }
    return records.suffix(max(0, count)).map(\.record)
  }

  /// Returns a record for people: time, level, source, message, and its other members.
  static func line(_ record: JSONValue) -> String {
    let record = record.shown()
    let time = record["timestamp"]?.string ?? ""
    let level = record["level"]?.string ?? ""
    let padded = level + String(repeating: " ", count: max(0, 8 - level.count))
    let style: Terminal.Style? =
      switch level {
      case "trace", "debug": .quiet
      case "warning": .doubtful
      case "error", "critical": .bad
      default: nil
      }
    var line = "\(time) \(style.map { Terminal.styled(padded, $0) } ?? padded) "
    line += "\(record["source"]?.string ?? ""): \(record["message"]?.string ?? "")"
    for (key, value) in record.object ?? JSONObject()
    where !["timestamp", "level", "source", "message"].contains(key) {
      line += " \(key)=\(value.string ?? value.text())"
    }
    return line
  }
}
