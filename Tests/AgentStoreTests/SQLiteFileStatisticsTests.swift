import AgentStore
import Glibc
import Testing

@Suite struct SQLiteFileStatisticsTests {
  @Test func `an open file and a closed one have the same description and stay unchanged`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
    _ = try await store.write { try $0.events.append([.sample("a")]) }
    let open = try await store.fileStatistics()
    #expect(open.journalMode == "wal")
    #expect(open.pageBytes == 4096)
    #expect(open.tables == open.latestTables)
    #expect(open.pages > 5 && open.logBytes > 0)
    await store.close()
    let (closed, problems) = try await SQLiteStore.inspect(path, checking: true)
    #expect(problems == [])
    #expect(closed.tables == open.tables)
    #expect(closed.fileBytes == closed.pages * closed.pageBytes)
  }

  @Test func `a damaged or missing file is reported, and none is created`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    await #expect(throws: StoreError.self) { try await SQLiteStore.inspect(path, checking: false) }
    #expect(access(path, F_OK) != 0)
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
    for _ in 0..<50 {
      _ = try await store.write { transaction in
        try transaction.events.append((0..<20).map { _ in .sample("a") })
      }
    }
    await store.close()
    // Everything after the first page is overwritten.
    let file = try #require(fopen(path, "r+"))
    fseek(file, 4096, SEEK_SET)
    let size = try await SQLiteStore.inspect(path, checking: false).statistics.fileBytes
    let junk = [UInt8](repeating: 0x5a, count: Int(size) - 4096)
    fwrite(junk, 1, junk.count, file)
    fclose(file)
    let found = try? await SQLiteStore.inspect(path, checking: true).problems
    #expect(found != [], "damage isn't found")
  }

  @Test func `the version of SQLite has three numbers`() {
    let numbers = SQLiteStore.libraryVersion.split(separator: ".").compactMap { Int($0) }
    #expect(numbers.count == 3)
  }

  @Test func `a checkpoint reports its time`() async throws {
    let folder = try TemporaryFolder()
    var configuration = SQLiteStoreConfiguration(path: folder.file("a.db"))
    configuration.checkpointPages = 1
    let store = try await SQLiteStore.open(configuration)
    _ = try await store.write { try $0.events.append([.sample("a")]) }
    _ = try await store.write { try $0.events.append([.sample("b")]) }
    let statistics = store.statistics
    #expect(statistics.checkpoints > 0)
    #expect(try #require(statistics.lastCheckpoint) > 1_600_000_000_000)
    await store.close()
  }
}
