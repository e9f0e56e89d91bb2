import Synchronization
import TestSupport
import Testing

@testable import AgentStore

@Suite(.timeLimit(.minutes(5))) struct SQLiteThreadTests {
  @Test(arguments: 0...3)
  func `a store without one of its threads leaves nothing open`(_ possible: Int) async throws {
    let folder = try TemporaryFolder()
    let counts = Mutex((started: 0, ended: 0))
    var configuration = SQLiteStoreConfiguration(path: folder.file("a.db"))
    configuration.startThread = { (body) throws(StoreError) in
      let isPossible = counts.withLock { counts in
        guard counts.started < possible else { return false }
        counts.started += 1
        return true
      }
      guard isPossible else { throw StoreError(.unusable, "No thread can be started.") }
      try WorkThread.start {
        body()
        counts.withLock { $0.ended += 1 }
      }
    }
    let error = await #expect(throws: StoreError.self) {
      try await SQLiteStore.open(configuration)
    }
    #expect(error?.code == .unusable)
    // Nothing holds the file any more.
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: folder.file("a.db")))
    await store.close()
    try await eventually("the end of the threads") { counts.withLock { $0.ended } == possible }
  }
}
