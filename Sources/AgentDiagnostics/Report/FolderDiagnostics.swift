package import AgentJSON
internal import AgentLogging
internal import AgentModules
package import AgentSettings
internal import AgentStore
internal import AgentSystem

/// Diagnostics of an agent's folder and its machine, whether a host runs or not.
package struct FolderDiagnostics: Sendable {
  let folder: AgentFolder
  let redactor: Redactor

  /// - Parameter redactor: removes secrets. The default knows those in the settings file.
  package init(_ folder: AgentFolder, redactor: Redactor? = nil) {
    self.folder = folder
    self.redactor = redactor ?? SettingsFile.load(folder).redactor
  }

  /// Returns the diagnostics of an agent that isn't running. The values that only a running host
  /// has are missing.
  /// - Parameter checking: whether the whole database is checked, which may take long.
  package func report(checking: Bool) async -> JSONValue {
    var object = common
    object["running"] = false
    object["store"] = await store(checking: checking)
    object["log"] = ["recent": .array(recent.map(redacted))]
    return .object(object)
  }

  /// The part that running and stopped agents have in common. It reads files, so it is called on
  /// the thread for files.
  package var common: JSONObject {
    [
      "folder": .string(folder.path), "taken_at": JSONValue(Timestamp.now()), "running": true,
      "versions": MachineReport.versions, "kernel": KernelReport.read().json,
      "machine": MachineReport.machine, "limits": ProcessLimits().json,
      "disk": DiskSpace(at: folder.path)?.json ?? .null, "settings": settings,
      "crashes": .array(crashes.entries.prefix(20).map(\.summary)),
    ]
  }

  /// The crash reports of the agent.
  package var crashes: CrashList { CrashList(folder: folder.privateFolder + "/crashes") }

  /// The settings without secrets, or a text if they can't be read.
  var settings: JSONValue {
    do {
      let source = try SourceFile.read(folder.settingsFile, named: folder.settingsName)
      return RedactedSettings(redactor: redactor).value(of: source.document.root.value)
    } catch {
      return .string("They can't be shown: \(error.description)")
    }
  }

  /// Returns the state of the database.
  func store(checking: Bool) async -> JSONValue {
    guard FileSystem.exists(folder.store) else { return .null }
    do {
      let (statistics, problems) = try await SQLiteStore.inspect(folder.store, checking: checking)
      let areCurrent = statistics.tables == statistics.latestTables
      // Reading rows opens the database, which migrates older tables. This call must not change
      // anything.
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
    // Each file is in order, but the files overlap.
    let sorted = serious.sorted {
      ($0["timestamp"]?.string ?? "") < ($1["timestamp"]?.string ?? "")
    }
    return Array(sorted.suffix(LogStatistics.maxRecent))
  }

  /// Returns a value without secrets.
  package func redacted(_ value: JSONValue) -> JSONValue {
    RedactedSettings(redactor: redactor).value(of: value)
  }
}
