package import AgentDiagnostics
internal import AgentJSON
package import AgentModules
package import AgentSettings
package import AgentWorkers

/// The first steps of a host: the lock of its folder, the record of its start, its settings, and
/// whether it is in safe mode.
package struct HostOpening: Sendable {
  /// Reads the settings of a folder. It may block.
  package typealias Load = @Sendable (AgentFolder) -> SettingsResult

  package let folder: AgentFolder
  package let journal: StartJournal
  /// The reason for safe mode. `nil` for a usual start.
  package let safeMode: SafeMode?
  let lock: HostLock
  let read: SettingsResult
  let settings: AgentSettings

  /// The enabled modules whose manifests are valid. `nil` if the settings weren't read.
  package var catalog: ModuleCatalog? { read.catalog }

  /// Takes the folder's lock, records the start, and reads the settings.
  /// - Parameters:
  ///   - isSafe: whether the user requested safe mode.
  ///   - limit: how long the reading may take.
  ///   - load: reads the settings; tests let it wait.
  ///   - begins: is called before the start is recorded, with the journal to clear if the host is
  ///     told to stop.
  /// - Throws: `HostError` with `conflict` when another host runs the folder, with
  ///   `invalidSettings` and every problem when the settings are wrong, with `deadlineExceeded` when
  ///   they can't be read in time. The start counts as failed in the last two cases, and safe mode
  ///   goes on.
  package init(
    _ folder: AgentFolder, isSafe: Bool = false, within limit: Duration = FileDeadline.startLimit,
    load: @escaping Load = { SettingsFile.load($0, options: .init(strict: true)) },
    begins: (StartJournal) -> Void = { _ in }
  ) async throws(HostError) {
    self.folder = folder
    // Before anything of the folder is read or logged: two hosts would write the same database,
    // record of starts and logs.
    lock = try HostStart.lock(folder)
    // Before the settings are read: a host that they end must count as failed.
    journal = HostStart.begin(folder, begins: begins)
    let record = journal.record
    let asked = isSafe ? SafeMode.asked : nil
    let early =
      asked ?? SafeMode(record, after: record.limitWithoutSettings, settingsAreWrong: true)
    if record.hasDiedReading, let early {
      (read, settings) = (.unread, SettingsResult.unread.safeSettings(of: folder))
      safeMode = early.withoutSettings(because: "the last host ended while it read them")
      return
    }
    journal.enter(StartRecord.readingStep)
    let found: SettingsResult?
    do throws(HostError) {
      // Somebody waits for requested safe mode.
      let limit = isSafe ? min(limit, FileDeadline.limit) : limit
      found = try await FileDeadline.runOnceReady(
        or: "The host can't start", for: "start", within: limit
      ) { load(folder) }
    } catch {
      guard early != nil else {
        journal.fail(error.message)
        throw error
      }
      found = nil
    }
    guard let found else {
      (read, settings) = (.unread, SettingsResult.unread.safeSettings(of: folder))
      safeMode = early?.withoutSettings(because: "they can't be read in time")
      return
    }
    read = found
    if read.document != nil { journal.know(safeModeAfter: read.safeModeAfter) }
    journal.enter("the preparation of the host")
    let mode =
      asked
      ?? SafeMode(record, after: read.safeModeAfter, settingsAreWrong: read.settings == nil)
    safeMode = mode?.naming(read.problems)
    if mode != nil {
      settings = read.safeSettings(of: folder)
      return
    }
    do throws(HostError) {
      settings = try HostApplication.accepted(read)
    } catch {
      let first = read.problems.first { $0.severity == .error }?.description ?? error.message
      journal.fail("The settings have errors. The first: \(first)", isOfSettings: true)
      throw error
    }
  }
}

extension HostApplication {
  /// The settings of a result without errors.
  static func accepted(_ result: SettingsResult) throws(HostError) -> AgentSettings {
    if let settings = result.settings { return settings }
    let errors = result.problems.filter { $0.severity == .error }
    throw HostError(
      .invalidSettings, "The settings are wrong.",
      problems: errors.map { problem in
        var object = problem.json.object ?? JSONObject()
        object["text"] = .string(problem.description)
        return .object(object)
      })
  }
}
