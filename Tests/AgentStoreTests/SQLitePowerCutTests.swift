import AgentStore
import CStoreFaults
import Testing

/// The file after a power cut: the synced bytes, and nothing that only the system held.
@Suite struct SQLitePowerCutTests {
  /// The files as a power cut leaves them, in a folder of their own, opened as after a start.
  private func afterPowerCut(_ test: BrokenStore) async throws -> (
    folder: TemporaryFolder, store: SQLiteStore
  ) {
    // A checkpoint may follow an answer; when this one comes, it is over.
    _ = try await test.store.write { _ in }
    let folder = try TemporaryFolder()
    try copy("\(test.file).synced", to: folder.file("store.db"))
    try copy("\(test.log).synced", to: folder.file("store.db-wal"))
    let store = try await SQLiteStore.open(
      SQLiteStoreConfiguration(path: folder.file("store.db")))
    return (folder, store)
  }

  @Test func `acknowledged writes survive a power cut at every moment`() async throws {
    // The file is written to often, so that most cuts come between its syncs.
    let test = try await BrokenStore { $0.checkpointPages = 10 }
    store_fault_keep_synced(test.log)
    store_fault_keep_synced(test.file)
    // The first checkpoint syncs the file, which a copy is kept of only from here on.
    #expect(await test.append(20).acknowledged == 20)
    for n in 20..<120 {
      #expect(await test.append(1, from: n).acknowledged == 1)
      let (folder, store) = try await afterPowerCut(test)
      var found: [Int64] = []
      for try await page in store.pages(of: EventSelection()) { found += page.map(\.timestamp) }
      #expect(found == (0...Int64(n)).map { $0 })
      #expect(try await store.integrityProblems() == [])
      await store.close()
      withExtendedLifetime(folder) {}
    }
    #expect(test.store.statistics.checkpoints > 10)
    await test.store.close()
  }
}
