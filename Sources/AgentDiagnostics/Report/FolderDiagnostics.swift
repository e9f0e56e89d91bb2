package import AgentJSON
internal import AgentLogging
internal import AgentModules
package import AgentSettings
internal import AgentStore
internal import AgentSystem

/// Diagnostics from an agent's folder and its machine, whether a host runs or not.
package struct FolderDiagnostics: Sendable {
  let folder: AgentFolder
  let redactor: Redactor

  /// - Parameter redactor: knows what is secret; that of the settings as they are in the file
  ///   unless given.
  package init(_ folder: AgentFolder, redactor: Redactor? = nil) {
    self.folder = folder
    self.redactor = redactor ?? SettingsFile.load(folder).redactor
  }

  /// The diagnostics of an agent that doesn't run: what a running one knows of itself is missing.
  /// - Parameter checking: whether the whole database is checked, which may take a while.
  package func report(checking: Bool) async -> JSONValue {
    var object = common
    object["running"] = false
    object["store"] = await store(checking: checking)
    object["log"] = ["recent": .array(recent.map(redacted))]
    return .object(object)
  }

  /// The part that running and stopped agents have in common. Reads files, so it is for the thread
  /// for files.
  package var common: JSONObject {
    [
      "folder": .string(folder.path), "taken_at": JSONValue(Timestamp.now()), "running": true,
      "versions": MachineReport.versions, "kernel": KernelReport.read().json,
      "machine": MachineReport.machine, "limits": ProcessLimits().json,
      "disk": DiskSpace(at: folder.path)?.json ?? .null, "settings": settings,
      "crashes": .array(crashes.entries.prefix(20).map(\.summary)),
    ]
  }

  /// The crash reports.
  package var crashes: CrashList { CrashList(folder: folder.privateFolder + "/crashes") }

  /// The settings without secrets; a text where they can't be read.
  var settings: JSONValue {
    do {
      let source = try SourceFile.read(folder.settingsFile, named: folder.settingsName)
      return RedactedSettings(redactor: redactor).value(of: source.document.root.value)
    } catch {
      return .string("They can't be shown: \(error.description)")
    }
  }

  /// The database.
  func store(checking: Bool) async -> JSONValue {
    guard FileSystem.exists(folder.store) else { return .null }
    do {
      let (statistics, problems) = try await SQLiteStore.inspect(folder.store, checking: checking)
      let areCurrent = statistics.tables == statistics.latestTables
      // Reading rows opens the database, and that migrates older tables. A look must change
      // nothing.
      let rows = checking && areCurrent ? try await StoreFile.rowProblems(of: folder) : nil
      return StoreReport.json(statistics, problems: checking ? problems : nil, rows: rows)
    } catch {
      return StoreReport.failure(error)
    }
  }

  /// The newest warnings and errors of all log files, oldest first.
  private var recent: [JSONValue] {
    let records = LogTails(folder: folder.logs, redactor: redactor).files.flatMap { file in
      file.text.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
    }
    let serious = records.filter { record in
      LogLevel(rawValue: record["level"]?.string ?? "").map { $0 >= .warning } ?? false
    }
    // Each file is in order, but not all of them together.
    let sorted = serious.sorted {
      ($0["timestamp"]?.string ?? "") < ($1["timestamp"]?.string ?? "")
    }
    return Array(sorted.suffix(LogStatistics.maxRecent))
  }

  /// A value without secrets.
  package func redacted(_ value: JSONValue) -> JSONValue {
    RedactedSettings(redactor: redactor).value(of: value)
  }
}
