import AgentStore
import Dispatch
import Glibc
import Synchronization
import Testing

@Suite struct SQLiteMaintenanceTests {
  private func open(_ path: String) async throws -> SQLiteStore {
    try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
  }

  private func fill(_ store: SQLiteStore, _ count: Int) async throws {
    let body = [UInt8](repeating: 32, count: 1000)
    for start in stride(from: 0, to: count, by: 500) {
      _ = try await store.write(.single) { transaction in
        try transaction.events.append(
          (start..<min(start + 500, count)).map {
            NewEvent(type: "t", timestamp: Int64($0), source: "s", body: body)
          })
      }
    }
  }

  private func count(_ store: SQLiteStore) async throws -> Int {
    var count = 0
    for try await page in store.pages(of: EventSelection()) { count += page.count }
    return count
  }

  private func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  @Test func `a backup taken during writes is whole and opens as a database`() async throws {
    let folder = try TemporaryFolder()
    let store = try await open(folder.file("a.db"))
    try await fill(store, 3000)
    let steps = Mutex<[Int]>([])
    let written = Mutex(0)
    try await store.backup(to: folder.file("b.db")) { done, total in
      steps.withLock { $0.append(done) }
      #expect(done <= total)
      // A write that is durable before the next step begins.
      let isWritten = DispatchSemaphore(value: 0)
      store.submit(.single, { try $0.events.append([.sample("while")]) }) { _ in
        written.withLock { $0 += 1 }
        isWritten.signal()
      }
      isWritten.wait()
    }
    #expect(steps.withLock { $0.count } > 2)
    #expect(access(folder.file("b.db.partial"), F_OK) != 0)
    #expect(access(folder.file("b.db-wal"), F_OK) != 0)
    let copy = try await open(folder.file("b.db"))
    #expect(try await count(copy) == 3000)
    #expect(try await copy.integrityProblems() == [])
    await copy.close()
    #expect(try await count(store) == 3000 + written.withLock { $0 })
    await store.close()
  }

  @Test func `a backup never replaces a file`() async throws {
    let folder = try TemporaryFolder()
    let store = try await open(folder.file("a.db"))
    await #expect { try await store.backup(to: folder.file("a.db")) } throws: {
      ($0 as? StoreError)?.code == .invalid
    }
    await #expect { try await store.backup(to: "/nonexistent/b.db") } throws: {
      ($0 as? StoreError)?.code == .unusable
    }
    await store.close()
  }

  @Test func `a file that appears during a backup stays unchanged`() async throws {
    let folder = try TemporaryFolder()
    let store = try await open(folder.file("a.db"))
    try await fill(store, 3000)
    let target = folder.file("b.db")
    await #expect {
      try await store.backup(to: target) { _, _ in
        let file = fopen(target, "w")
        fputs("mine", file)
        fclose(file)
      }
    } throws: { ($0 as? StoreError)?.code == .invalid }
    #expect(size(target) == 4)
    #expect(access("\(target).partial", F_OK) != 0)
    await store.close()
  }

  @Test func `the log stays short while space is returned`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    var configuration = SQLiteStoreConfiguration(path: path)
    configuration.checkpointPages = 100
    let store = try await SQLiteStore.open(configuration)
    try await fill(store, 40_000)
    _ = try await store.write(.freeing) {
      try $0.events.retain(EventRetentionRule(type: "t", count: 100), now: 0, limit: 100_000)
    }
    let before = store.statistics.checkpoints
    #expect(try await store.compact() > 40_000_000)
    // A step has 2,000 pages: without a checkpoint between them the log would hold all of them.
    #expect(store.statistics.checkpoints > before + 3)
    #expect(size(path) < 1_000_000)
    await store.close()
  }

  @Test func `compaction returns space`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    let store = try await open(path)
    try await fill(store, 5000)
    _ = try await store.write(.freeing) {
      try $0.events.retain(EventRetentionRule(type: "t", count: 100), now: 0, limit: 10_000)
    }
    let released = try await store.compact()
    #expect(released > 4_000_000)
    #expect(size(path) < 1_000_000)
    #expect(try await count(store) == 100)
    #expect(try await store.integrityProblems() == [])
    await store.close()
  }

  @Test func `damage is found by a check`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    var store = try await open(path)
    try await fill(store, 500)
    await store.close()
    let descriptor = Glibc.open(path, O_RDWR)
    var noise = [UInt8](repeating: 0xa5, count: 4096)
    // A page in the middle of the events.
    pwrite(descriptor, &noise, noise.count, 4096 * 60)
    Glibc.close(descriptor)
    store = try await open(path)
    #expect(try await !store.integrityProblems().isEmpty)
    await store.close()
  }

  @Test func `a second host is told which host has the file`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    let store = try await open(path)
    await #expect { _ = try await open(path) } throws: { error in
      guard let error = error as? StoreError else { return false }
      return error.code == .locked && error.message.contains("process \(getpid())")
    }
    await store.close()
    await (try open(path)).close()
  }

  @Test func `a file that isn't our database is refused and left unchanged`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    let text = Array("This is a text, and certainly no database at all.\n".utf8)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT, 0o600)
    for _ in 0..<100 {
      _ = text.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
    await #expect { _ = try await open(path) } throws: { ($0 as? StoreError)?.code == .corrupt }
    #expect(size(path) == text.count * 100)
    await #expect { _ = try await open("/nonexistent/a.db") } throws: {
      ($0 as? StoreError)?.code == .unusable
    }
    Glibc.close(descriptor)
  }
}
