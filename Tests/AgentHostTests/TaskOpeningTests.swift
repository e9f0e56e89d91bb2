import AgentLogging
import AgentSettings
import AgentStore
import AgentTasksTesting
import Synchronization
import TestSupport
import Testing

@testable import AgentHost

/// The opening of tasks, bots and schedules on a disk that can't be read for a moment.
@Suite struct TaskOpeningTests {
  /// How an opening went.
  private struct Opening {
    let isOpen: Bool
    let reads: Int
    /// The names of the stored schedules.
    let schedules: [String]
    /// The number of times that a step was repeated.
    let repetitions: Int
  }

  /// Opens the services of a new host on a database of its own.
  /// - Parameter number: the read that fails; nil if none does.
  private func open(failing number: Int? = nil) async throws -> Opening {
    let folder = try TestFolder()
    let schedule = #"{"every": "1d", "task": {"type": "command"}}"#
    try folder.write(
      "settings.json", #"{"agent": {"name": "t"}, "schedules": {"nightly": \#(schedule)}}"#)
    let host = try HostApplication(
      await HostOpening(try AgentFolder.locate(settings: "\(folder.path)/settings.json")),
      options: .init(logsToTerminal: false))
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/a.db"))
    let front = RefusingStore(store)
    if let number {
      front.refuseRead(StoreError(.fault, "The disk can't be read."), after: number - 1)
    }
    let repetitions = Mutex(0)
    let retry = StoreRetry(log: host.log, isEnding: { false }) { _ in
      repetitions.withLock { $0 += 1 }
    }
    let isOpen = await host.work.open(front, host.settings, retrying: retry)
    let schedules = try await store.read {
      try $0.schedules.schedules(ScheduleSelection(source: "settings", limit: 9)).map(\.name)
    }
    let opening = Opening(
      isOpen: isOpen, reads: front.reads, schedules: schedules,
      repetitions: repetitions.withLock(\.self))
    await store.close()
    return opening
  }

  @Test func `a read that fails once doesn't leave the host without tasks`() async throws {
    let usual = try await open()
    #expect(usual.isOpen && usual.repetitions == 0)
    // A client that lists them after the start finds them.
    #expect(usual.schedules == ["nightly"])
    // Tasks, bots and schedules are read.
    try #require(usual.reads >= 3)
    for number in 1...usual.reads {
      let opening = try await open(failing: number)
      #expect(opening.isOpen, "read \(number)")
      // An error that is dropped would leave something out. Only the settings' schedules are left to
      // the scheduler.
      #expect(opening.repetitions == 1 || opening.schedules.isEmpty, "read \(number)")
    }
  }
}
