package import AgentJSON
internal import AgentModules

/// The crash reports in `.agent/crashes`.
package struct CrashList: Sendable {
  /// A crash report.
  package struct Entry: Sendable {
    let path: String
    let report: JSONValue

    /// The process that crashed.
    var process: String { report["process"]?.string ?? "" }

    /// The summary: the time, the cause, and the first five frames.
    package var summary: JSONValue {
      let frames = (report["frames"]?.array ?? []).prefix(5).map { frame -> JSONValue in
        .string(frame["function"]?.string ?? "\(frame["image"]?.string ?? "?")")
      }
      return [
        "process": .string(process), "time": report["time"] ?? .null,
        "exit": report["exit"] ?? .null, "frames": .array(frames), "file": .string(path),
      ]
    }
  }

  private static let largest = 1 << 20
  /// The reports, the newest first.
  let entries: [Entry]

  /// Reads the newest reports in the folder, at most `most`. Unreadable ones are left out.
  init(folder: String, most: Int = 50) {
    let found = FileSystem.names(in: folder).filter { $0.hasSuffix(".json") }.compactMap { name in
      let path = FileSystem.join(folder, name)
      return (try? FileSystem.read(path, limit: Self.largest))
        .flatMap { try? JSONDocument(parsing: $0).root.value }
        .map { Entry(path: path, report: $0) }
    }
    // The times are RFC 3339 in UTC, so texts sort like times.
    let newest = found.sorted {
      ($0.report["time"]?.string ?? "") > ($1.report["time"]?.string ?? "")
    }
    entries = Array(newest.prefix(most))
  }

  /// Returns the reports of one process.
  package func of(_ process: String) -> [Entry] { entries.filter { $0.process == process } }
}
