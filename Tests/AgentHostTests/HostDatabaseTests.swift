import AgentDiagnostics
import AgentLogging
import AgentStore
import AgentWorkers
import Synchronization
import TestSupport
import Testing

@testable import AgentHost

/// The opening of the database, on a full disk too.
@Suite struct HostDatabaseTests {
  /// A file that can't be opened a few times, and what is seen of the database meanwhile.
  private final class Bench: Sendable {
    struct Seen {
      var failures: Int
      var conditions: [StoreCondition?] = []
      var database: HostDatabase?
    }

    let folder: TestFolder
    let log: LogHub
    let seen: Mutex<Seen>

    init(failures: Int) throws {
      folder = try TestFolder()
      var configuration = LogConfiguration()
      configuration.toStandardError = false
      log = LogHub(configuration)
      seen = Mutex(Seen(failures: failures))
    }

    /// - Parameter ends: whether the host ends during the first pause.
    func database(failing code: StoreError.Code, ends: Bool = false) -> HostDatabase {
      let database = HostDatabase(
        path: "\(folder.path)/store.db", log, StoreHindrance(),
        openFile: { [self] configuration in
          let fails = seen.withLock { seen in
            seen.failures -= 1
            return seen.failures >= 0
          }
          if fails { throw StoreError(code, "It has no room.") }
          return try await SQLiteStore.open(configuration)
        },
        pause: { [self] _ in
          let database = seen.withLock { $0.database }
          seen.withLock { $0.conditions.append(database?.condition) }
          if ends { database?.endWaits() }
        })
      seen.withLock { $0.database = database }
      return database
    }

    /// Ends the reference to the database, which holds this.
    func forget() { seen.withLock { $0.database = nil } }
  }

  private func open(_ database: HostDatabase, waitsForRoom: Bool = true) async throws {
    try await open(database, waitsForRoom: waitsForRoom) {}
  }

  private func open(
    _ database: HostDatabase, waitsForRoom: Bool = true, _ prepare: () throws -> Void
  ) async throws {
    try await database.open(maxBytes: 1 << 30, waitsForRoom: waitsForRoom, acceptsWrites: {}) { _ in
      try prepare()
    }
  }

  @Test func `a database on a full disk is opened once there is room, and says so meanwhile`()
    async throws
  {
    let bench = try Bench(failures: 3)
    let messages = Mutex<[String]>([])
    let subscription = bench.log.subscribe { record in
      messages.withLock { $0.append(record.message) }
    }
    let database = bench.database(failing: .full)
    #expect(database.condition == nil)
    try await open(database)
    #expect(database.condition == .ready)
    let conditions = bench.seen.withLock { $0.conditions }
    #expect(conditions.count == 3 && Set(conditions).count == 1, "\(conditions)")
    #expect(conditions.first??.obstacle?.message == "It has no room.")
    bench.log.flush()
    bench.log.unsubscribe(subscription)
    #expect(
      messages.withLock { $0 } == [
        "Nothing can be stored: It has no room.", "The database accepts writes again.",
      ])
    await database.close {}
    bench.forget()
  }

  @Test func `a request before there is room learns what is missing`() async throws {
    let bench = try Bench(failures: 1)
    let database = bench.database(failing: .full, ends: true)
    await #expect(throws: HostError.self) { try await open(database) }
    let error = #expect(throws: HostError.self) { try database.openStore() }
    #expect(error?.code == .notReady && error?.message == "It has no room.")
    bench.forget()
  }

  @Test func `a host that ends doesn't wait for room`() async throws {
    let bench = try Bench(failures: .max)
    let database = bench.database(failing: .full, ends: true)
    await #expect(throws: HostError.self) { try await open(database) }
    #expect(bench.seen.withLock { $0.conditions.count } == 1)
    bench.forget()
  }

  @Test(arguments: [StoreError.Code.unusable, .newer, .corrupt, .locked])
  func `an obstacle that room doesn't end isn't waited for`(_ code: StoreError.Code) async throws {
    let bench = try Bench(failures: 1)
    let database = bench.database(failing: code)
    await #expect(throws: HostError.self) { try await open(database) }
    #expect(bench.seen.withLock { $0.conditions }.isEmpty)
    bench.forget()
  }

  @Test func `safe mode doesn't wait for room`() async throws {
    let bench = try Bench(failures: 1)
    let database = bench.database(failing: .full)
    await #expect(throws: HostError.self) { try await open(database, waitsForRoom: false) }
    #expect(bench.seen.withLock { $0.conditions }.isEmpty)
    bench.forget()
  }

  @Test(arguments: [StoreError.Code.full, .group, .fault])
  func `what is kept in the database is opened once the disk permits it`(
    _ code: StoreError.Code
  ) async throws {
    let bench = try Bench(failures: 0)
    let database = bench.database(failing: .full)
    var tries = 0
    try await open(database) {
      tries += 1
      // Nobody finds it before.
      #expect(database.store == nil)
      if tries < 3 { throw StoreError(code, "It has no room.") }
    }
    #expect(tries == 3)
    #expect(database.condition == .ready)
    let conditions = bench.seen.withLock { $0.conditions }
    #expect(conditions.map { $0?.obstacle?.message } == ["It has no room.", "It has no room."])
    let areFaulty = conditions.map { if case .faulty? = $0 { true } else { false } }
    #expect(areFaulty == [code == .fault, code == .fault])
    await database.close {}
    bench.forget()
  }

  @Test func `a host that ends or is in safe mode doesn't repeat the opening of what is kept`()
    async throws
  {
    for (ends, waitsForRoom) in [(true, true), (false, false)] {
      let bench = try Bench(failures: 0)
      let database = bench.database(failing: .full, ends: ends)
      var tries = 0
      await #expect(throws: HostError.self) {
        try await open(database, waitsForRoom: waitsForRoom) {
          tries += 1
          throw StoreError(.full, "It has no room.")
        }
      }
      #expect(tries == 1)
      bench.forget()
    }
  }

  @Test func `an error that room doesn't end ends the opening of what is kept`() async throws {
    let bench = try Bench(failures: 0)
    let database = bench.database(failing: .full)
    await #expect(throws: HostError.self) {
      try await open(database) { throw StoreError(.corrupt, "It is broken.") }
    }
    #expect(bench.seen.withLock { $0.conditions }.isEmpty)
    bench.forget()
  }
}
