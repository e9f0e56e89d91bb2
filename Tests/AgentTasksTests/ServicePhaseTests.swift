import AgentStore
import TestSupport
import Testing

@testable import AgentTasks

/// The lifecycle of the services that work on the store.
@Suite struct ServicePhaseTests {
  private enum Name: String, CaseIterable { case starting, safe, running, stopping, ended }
  private enum Happening: String, CaseIterable { case open, openSafely, stop, end }

  /// What follows in each phase; nil where the event is refused.
  private static func next(_ phase: Name, _ event: Happening) -> Name? {
    switch (phase, event) {
    case (.starting, .open): .running
    case (.starting, .openSafely): .safe
    case (.starting, .stop), (.safe, .stop), (.stopping, .end): .ended
    case (.running, .stop): .stopping
    default: nil
    }
  }

  private static func store(in folder: TestFolder) async throws -> any Store {
    try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/store.db"))
  }

  private static func phase(_ name: Name, _ store: any Store) -> ServicePhase {
    switch name {
    case .starting: .starting
    case .safe: .safe(store)
    case .running: .running(store)
    case .stopping: .stopping(store)
    case .ended: .ended
    }
  }

  private static func name(_ phase: ServicePhase) -> Name {
    switch phase {
    case .starting: .starting
    case .safe: .safe
    case .running: .running
    case .stopping: .stopping
    case .ended: .ended
    }
  }

  @Test func `every event in every phase leads where the table says`()
    async throws
  {
    let folder = try TestFolder()
    let store = try await Self.store(in: folder)
    for before in Name.allCases {
      for happening in Happening.allCases {
        var phase = Self.phase(before, store)
        let event: ServicePhase.Event =
          switch happening {
          case .open: .open(store)
          case .openSafely: .openSafely(store)
          case .stop: .stop
          case .end: .end
          }
        let isAllowed = phase.apply(event)
        let expected = Self.next(before, happening)
        #expect(isAllowed == (expected != nil), "\(before) \(happening)")
        #expect(Self.name(phase) == expected ?? before, "\(before) \(happening)")
      }
    }
  }

  @Test func `writes go on until the service has ended`() async throws {
    let folder = try TestFolder()
    let store = try await Self.store(in: folder)
    let phases = Name.allCases.map { ($0, Self.phase($0, store)) }
    #expect(phases.filter { $0.1.runningStore != nil }.map(\.0) == [.running])
    #expect(phases.filter { $0.1.openStore != nil }.map(\.0) == [.running, .stopping])
    #expect(phases.filter { $0.1.safeStore != nil }.map(\.0) == [.safe])
    #expect(phases.filter(\.1.isStopping).map(\.0) == [.stopping, .ended])
  }
}
