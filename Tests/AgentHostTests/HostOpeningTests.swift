import AgentDiagnostics
import AgentHost
import AgentModules
import AgentSettings
import AgentWorkers
import Dispatch
import Synchronization
import TestSupport
import Testing

/// The first steps of a host, with settings on files that don't answer.
@Suite struct HostOpeningTests {
  private let folder: TestFolder
  private let agent: AgentFolder

  init() throws {
    folder = try TestFolder()
    try folder.write("settings.json", "{}")
    agent = try AgentFolder.locate(settings: "\(folder.path)/settings.json")
  }

  /// Opens a host whose settings aren't read until it is open, or has failed.
  private func open(isSafe: Bool = false) async throws(HostError) -> HostOpening {
    try await onceUnlocked { () async throws(HostError) in try await tryToOpen(isSafe: isSafe) }
  }

  private func onceUnlocked(
    _ open: () async throws(HostError) -> HostOpening
  ) async throws(HostError) -> HostOpening {
    while true {
      do throws(HostError) {
        return try await open()
      } catch {
        // A child that another test starts has the former lock until it executes its program.
        guard error.code == .conflict else { throw error }
        await Task.yield()
      }
    }
  }

  private func tryToOpen(isSafe: Bool) async throws(HostError) -> HostOpening {
    let answer = DispatchSemaphore(value: 0)
    // The deadline leaves the reader behind.
    defer { answer.signal() }
    return try await HostOpening(
      agent, isSafe: isSafe, within: .milliseconds(20),
      load: { folder in
        answer.wait()
        return SettingsFile.load(folder)
      })
  }

  @Test func `settings that can't be read in time fail the start, and safe mode goes on`()
    async throws
  {
    for _ in 0..<3 {
      let error = await #expect(throws: HostError.self) { try await open() }
      #expect(error?.code == .deadlineExceeded)
    }
    let safe = try await open()
    let mode = try #require(safe.safeMode)
    #expect(mode.reason.contains("The last 3 starts") && mode.reason.contains("aren't read"))
    #expect(mode.causes.count == 3 && mode.causes.first?.contains("doesn't answer") == true)
    #expect(safe.catalog == nil)
  }

  @Test func `requested safe mode comes up with settings that can't be read in time`()
    async throws
  {
    let mode = try #require(try await open(isSafe: true).safeMode)
    #expect(mode.reason.contains("they can't be read in time"), "\(mode.reason)")
  }

  /// Opens a host with these settings that a person ends, and one after three that died while they
  /// read them.
  private func openAfterDeaths(settings: String) async throws -> SafeMode? {
    try folder.write("settings.json", settings)
    let open = { () async throws(HostError) in try await HostOpening(agent) }
    try await onceUnlocked(open).journal.clear()
    for _ in 0..<3 { HostStart.begin(agent).enter(StartRecord.readingStep) }
    let opening = try await onceUnlocked(open)
    defer { opening.journal.clear() }
    return opening.safeMode
  }

  @Test func `safe mode that was switched off stays off while a host dies reading its settings`()
    async throws
  {
    let off = #"{"supervision": {"safe_mode_after": 0}}"#
    #expect(try await openAfterDeaths(settings: off) == nil)
    // The default is on again, once a host has read it.
    #expect(try await openAfterDeaths(settings: "{}") != nil)
    #expect(!folder.contains(".agent/starts.json"))
  }

  @Test func `a start is recorded before the settings are read`() async throws {
    let isRecorded = Atomic(false)
    let opening = try await HostOpening(
      agent,
      load: { folder in
        // What the next host would find if this one died now.
        isRecorded.store(StartJournal(folder: folder).record.hasDiedReading, ordering: .relaxed)
        return SettingsFile.load(folder)
      })
    #expect(isRecorded.load(ordering: .relaxed) && opening.safeMode == nil)
    #expect(!StartJournal(folder: agent).record.hasDiedReading)
  }
}
