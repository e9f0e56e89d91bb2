internal import AgentDiagnostics
internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentWorkers

/// The first steps of a host: the record of its start, its settings, and whether it is in safe mode.
struct HostOpening {
  let journal: StartJournal
  let read: SettingsResult
  let settings: AgentSettings
  let safeMode: SafeMode?

  /// Records the start, and reads the settings.
  /// - Parameter isSafe: whether the user requested safe mode.
  /// - Throws: `HostError` with `invalidSettings` and every problem when the settings are wrong and
  ///   the host isn't in safe mode. The start then counts as failed.
  init(_ folder: AgentFolder, isSafe: Bool) throws(HostError) {
    // Before the settings are read: a host that they end must count as failed.
    journal = HostStart.begin(folder)
    let record = journal.record
    let asked = isSafe ? SafeMode.asked : nil
    let loops = SafeMode(
      record, after: SupervisionSettings().safeModeAfter, settingsAreWrong: true)
    if record.hasDiedReading, let mode = asked ?? loops {
      (read, settings) = (.unread, SettingsResult.unread.safeSettings(of: folder))
      safeMode = mode.withoutSettings
      return
    }
    journal.enter(StartRecord.readingStep)
    read = SettingsFile.load(folder, options: .init(strict: true))
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
