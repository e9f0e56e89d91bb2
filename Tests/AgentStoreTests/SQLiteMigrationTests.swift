import Glibc
import Synchronization
import Testing

@testable import AgentStore

/// From one version of the tables to the next and back.
@Suite struct SQLiteMigrationTests {
  /// The number that the next migration will have.
  private static let following = Int64(SQLiteMigration.all.count) + 1

  /// The text of all tables and indexes.
  private func schema(_ path: String) throws -> [String] {
    let connection = try SQLiteConnection(path: path, isReader: false)
    let texts = try connection.use { session throws(StoreError) in
      var texts: [String] = []
      try session.each("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") {
        row throws(StoreError) in texts.append(row.text(0))
      }
      return texts
    }
    try connection.close()
    return texts
  }

  /// The tasks that have claims.
  private func claims(_ path: String) throws -> [Int64] {
    let connection = try SQLiteConnection(path: path, isReader: true)
    let tasks = try connection.use { session throws(StoreError) in
      var tasks: [Int64] = []
      try session.each("SELECT task FROM task_claims ORDER BY task") {
        row throws(StoreError) in tasks.append(row.integer(0))
      }
      return tasks
    }
    try connection.close()
    return tasks
  }

  private func configuration(_ path: String, _ added: [SQLiteMigration] = [])
    -> SQLiteStoreConfiguration
  {
    var configuration = SQLiteStoreConfiguration(path: path)
    configuration.migrations += added
    return configuration
  }

  private func next(backwards: [StaticString]?, _ number: Int64 = following) -> SQLiteMigration {
    SQLiteMigration(
      number: number, title: "A column for tests",
      forwards: ["ALTER TABLE consumers ADD COLUMN note TEXT"], backwards: backwards)
  }

  @Test func `migrations are numbered from 1 without gaps`() {
    #expect(SQLiteMigration.all.map(\.number) == (1...Int64(SQLiteMigration.all.count)).map { $0 })
  }

  @Test func `every down migration restores the earlier schema`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    for count in SQLiteMigration.all.indices {
      var former = SQLiteStoreConfiguration(path: path)
      former.migrations = Array(SQLiteMigration.all.prefix(count))
      var updated = former
      updated.migrations = Array(SQLiteMigration.all.prefix(count + 1))
      let before = try schema(path)
      await (try SQLiteStore.open(updated)).close()
      let after = try schema(path)
      #expect(after != before)
      guard SQLiteMigration.all[count].backwards != nil else { continue }
      #expect(try await SQLiteStore.revert(updated, to: Int64(count)) == Int64(count + 1))
      #expect(try schema(path) == before)
      await (try SQLiteStore.open(updated)).close()
      #expect(try schema(path) == after)
    }
  }

  @Test func `a migration and its reversal keep what is stored`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    var store = try await SQLiteStore.open(configuration(path))
    _ = try await store.write { try $0.consumers.register("c", after: 7, now: 1) }
    await store.close()
    let before = try schema(path)
    let updated = configuration(
      path, [next(backwards: ["ALTER TABLE consumers DROP COLUMN note"])])
    store = try await SQLiteStore.open(updated)
    #expect(try await store.read { try $0.consumers.consumer("c")?.position } == 7)
    await store.close()
    try await SQLiteStore.revert(updated, to: Self.following - 1)
    #expect(try schema(path) == before)
    store = try await SQLiteStore.open(configuration(path))
    #expect(try await store.read { try $0.consumers.consumer("c")?.position } == 7)
    await store.close()
  }

  @Test func `a version without claims finds the running tasks in their rows`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    let store = try await SQLiteStore.open(configuration(path))
    let running = try await store.write { transaction throws in
      var queued = ClaimSteps.queued("a", 1)
      queued.id = try transaction.tasks.insert(queued)
      let step = TaskStep(from: queued, to: queued.begun(at: 5))
      #expect(try transaction.tasks.begin([step]) == [true])
      return step.task
    }
    await store.close()
    #expect(try claims(path) == [running.id])
    try await SQLiteStore.revert(configuration(path), to: 17)
    let connection = try SQLiteConnection(path: path, isReader: true)
    var stored: [TaskRow] = []
    try connection.use { session throws(StoreError) in
      try session.each("SELECT * FROM tasks") { row throws(StoreError) in
        stored.append(SQLiteTaskReader.row(row))
      }
    }
    #expect(stored == [running])
    try connection.close()
  }

  @Test func `a migration without a reversal takes an announced backup, and revert refuses`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    let first = try await SQLiteStore.open(configuration(path))
    _ = try await first.write { try $0.consumers.register("c", after: 7, now: 1) }
    await first.close()
    var updated = configuration(path, [next(backwards: nil)])
    let notices = Mutex<[String]>([])
    updated.notice = { text in
      #expect(access(folder.file("a.db.before-\(Self.following)"), F_OK) != 0)
      notices.withLock { $0.append(text) }
    }
    await (try SQLiteStore.open(updated)).close()
    #expect(notices.withLock { $0.count } == 1)
    #expect(notices.withLock { $0.first?.contains("a.db.before-\(Self.following)") } == true)
    // Once is enough.
    await (try SQLiteStore.open(updated)).close()
    #expect(notices.withLock { $0.count } == 1)
    let backup = try await SQLiteStore.open(
      configuration(folder.file("a.db.before-\(Self.following)")))
    #expect(try await backup.read { try $0.consumers.consumer("c")?.position } == 7)
    await backup.close()
    await #expect { try await SQLiteStore.revert(updated, to: Self.following - 1) } throws: {
      ($0 as? StoreError)?.code == .invalid
    }
  }

  @Test func `a backup left by an interrupted migration doesn't block the next`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    await (try SQLiteStore.open(configuration(path))).close()
    let target = folder.file("a.db.before-\(Self.following)")
    let left = fopen(target, "w")
    fputs("the former", left)
    fclose(left)
    await (try SQLiteStore.open(configuration(path, [next(backwards: nil)]))).close()
    let backup = try await SQLiteStore.open(configuration(target))
    await backup.close()
    // What was there isn't lost.
    #expect(access("\(target).old", F_OK) == 0)
  }

  @Test func `a file of a newer version is refused with a sentence and left unchanged`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    await (try SQLiteStore.open(configuration(path, [next(backwards: [])]))).close()
    let before = try schema(path)
    await #expect { _ = try await SQLiteStore.open(configuration(path)) } throws: { error in
      guard let error = error as? StoreError else { return false }
      return error.code == .newer && error.message.contains("number \(Self.following)")
        && error.message.contains("up to \(Self.following - 1)")
    }
    #expect(try schema(path) == before)
  }

  @Test func `a failed migration leaves the earlier version`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    await (try SQLiteStore.open(configuration(path))).close()
    let before = try schema(path)
    let broken = SQLiteMigration(
      number: Self.following, title: "A step with a mistake",
      forwards: ["CREATE TABLE more (id INTEGER)", "CREATE TABLE consumers (id INTEGER)"],
      backwards: [])
    await #expect(throws: StoreError.self) {
      _ = try await SQLiteStore.open(configuration(path, [broken]))
    }
    #expect(try schema(path) == before)
    await (try SQLiteStore.open(configuration(path))).close()
  }

  @Test func `a database of another program is refused`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    let other = try SQLiteConnection(path: path, isReader: false)
    try other.use { session throws(StoreError) in try session.run("CREATE TABLE theirs (id)") }
    try other.close()
    await #expect { _ = try await SQLiteStore.open(configuration(path)) } throws: {
      ($0 as? StoreError)?.code == .unusable
    }
    #expect(try schema(path) == ["CREATE TABLE theirs (id)"])
  }
}
