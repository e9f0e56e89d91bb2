import CStoreFaults
import Glibc
import Testing

@testable import AgentStore

/// Damage, and what only looks like it.
@Suite struct SQLiteDamageTests {
  /// SQLite's result codes.
  private static let sync: Int32 = 1034
  private static let read: Int32 = 266
  private static let open: Int32 = 14

  /// Writes noise over a page of the events, past SQLite.
  private func damage(_ path: String) throws -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDWR)
    try #require(descriptor >= 0)
    defer { Glibc.close(descriptor) }
    var former = [UInt8](repeating: 0, count: 4096)
    try #require(pread(descriptor, &former, former.count, 4096 * 60) == former.count)
    var noise = [UInt8](repeating: 0xa5, count: 4096)
    try #require(pwrite(descriptor, &noise, noise.count, 4096 * 60) == noise.count)
    return former
  }

  private func mend(_ path: String, _ page: [UInt8]) throws {
    let descriptor = Glibc.open(path, O_RDWR)
    try #require(descriptor >= 0)
    defer { Glibc.close(descriptor) }
    try #require(pwrite(descriptor, page, page.count, 4096 * 60) == page.count)
  }

  /// A store whose file has pages to damage, and whose disk has just failed once.
  private func faulty() async throws -> BrokenStore {
    let test = try await BrokenStore { $0.checkpointPages = 8 }
    let large = NewEvent(
      type: "t", timestamp: 1, source: "s", body: [UInt8](repeating: 32, count: 3000))
    for _ in 0..<30 {
      _ = try await test.store.write(.single) {
        try $0.events.append([NewEvent](repeating: large, count: 10))
      }
    }
    test.fails(test.log, STORE_FAULT_SYNC, code: Self.sync, times: 1)
    #expect(await test.append(1).error?.code == .fault)
    return test
  }

  private func isFaulty(_ test: BrokenStore) -> Bool {
    if case .faulty = test.store.condition { true } else { false }
  }

  private func isCorrupt(_ test: BrokenStore) -> Bool {
    if case .corrupt = test.store.condition { true } else { false }
  }

  @Test func `a disk whose reads fail for a while isn't reported as damage`() async throws {
    let test = try await faulty()
    // Each page that a check asks for fails; the check itself doesn't.
    test.fails(test.file, STORE_FAULT_READ, code: Self.read, skip: 12)
    for _ in 0..<4 {
      await test.letTryAgain()
      #expect(isFaulty(test), "\(test.store.condition)")
    }
    test.fails(test.file, STORE_FAULT_OPEN, code: Self.open)
    await test.letTryAgain()
    #expect(isFaulty(test), "\(test.store.condition)")
    test.repair()
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    #expect(await test.append(3, from: 10).acknowledged == 3)
    #expect(try await test.store.integrityProblems() == [])
    #expect(
      !test.conditions.all.contains { if case .corrupt = $0 { true } else { false } })
    await test.store.close()
  }

  @Test func `a page that can't be read isn't the file's damage`() async throws {
    let test = try await faulty()
    test.repair()
    await test.letTryAgain()
    test.fails(test.file, STORE_FAULT_READ, code: Self.read, skip: 12)
    await #expect { try await test.store.integrityProblems() } throws: {
      ($0 as? StoreError)?.code == .fault
    }
    test.repair()
    #expect(try await test.store.integrityProblems() == [])
    await test.store.close()
  }

  @Test func `damage is reported once a second reading confirms it, and ends when it is repaired`()
    async throws
  {
    let test = try await faulty()
    let page = try damage(test.file)
    await test.letTryAgain()
    // One reading may be the disk's fault.
    #expect(isFaulty(test), "\(test.store.condition)")
    await test.letTryAgain()
    #expect(isCorrupt(test), "\(test.store.condition)")
    #expect(await test.append(1, from: 5).error?.code == .corrupt)
    #expect(test.time.nextDelay == WriterHealth.damagedDelay)
    await test.letTryAgain()
    #expect(isCorrupt(test))
    try mend(test.file, page)
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    #expect(await test.append(1, from: 6).acknowledged == 1)
    await test.store.close()
  }

  @Test func `damage that the second reading doesn't find is no damage`() async throws {
    let test = try await faulty()
    let page = try damage(test.file)
    await test.letTryAgain()
    try mend(test.file, page)
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    #expect(!test.conditions.all.contains { if case .corrupt = $0 { true } else { false } })
    await test.store.close()
  }

  @Test func `damage that a statement meets is confirmed by reading the whole file`() {
    var health = WriterHealth()
    let damage = StoreError(.corrupt, "x")
    func isFaulty() -> Bool { if case .faulty = health.condition { true } else { false } }
    _ = health.failed(damage, by: .statement, now: 1)
    _ = health.failed(damage, by: .statement, now: 1)
    #expect(isFaulty() && health.suspectsDamage)
    health.retries()
    // A disk that can't be read says nothing about the file.
    _ = health.failed(StoreError(.fault, "y"), by: .reading, now: 2)
    health.retries()
    _ = health.failed(damage, by: .reading, now: 3)
    #expect(isFaulty())
    health.retries()
    _ = health.failed(damage, by: .reading, now: 4)
    #expect(!isFaulty() && health.condition.obstacle?.since == 1)
  }

  @Test(arguments: [
    ("Page 7: unable to get the page. error code=266", true),
    (
      "*** in database main ***\nOn tree page 3 cell 2: unable to get the page. error code=10", true
    ),
    ("failed to get page 9", true),
    ("unable to get the page. error code=11", false),
    ("On tree page 3 cell 1: btreeInitPage() returns error code 11", false),
    ("row 5 missing from index events_by_type", false), ("", false), ("error code", false),
    ("error code=99999999999", false),
  ])
  func `a check distinguishes a wrong page from one that can't be read`(
    text: String, isUnreadable: Bool
  ) {
    #expect(SQLiteFinding.isUnreadable(text) == isUnreadable)
  }
}
