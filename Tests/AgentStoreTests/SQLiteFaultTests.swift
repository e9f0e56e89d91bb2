import AgentStore
import CStoreFaults
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

/// The store on a full or broken disk, by faults in SQLite's own layer to the system.
@Suite struct SQLiteFaultTests {
  /// SQLite's result codes.
  private static let full: Int32 = 13
  private static let write: Int32 = 778
  private static let sync: Int32 = 1034
  private static let read: Int32 = 266

  @Test func `a full disk acknowledges nothing, serves reads and recovers`() async throws {
    let test = try await BrokenStore()
    #expect(await test.append(10).acknowledged == 10)
    test.fails(test.log, STORE_FAULT_WRITE, code: Self.full)
    let since = test.time.now
    #expect(await test.append(1, from: 100).error?.code == .full)
    #expect(await test.append(1, from: 101).error?.code == .full)
    #expect(try await test.timestamps() == Array(0..<10))
    for delay: Int64 in [100, 200, 400, 800, 1600, 3200, 5000, 5000] {
      #expect(test.time.nextDelay == delay)
      await test.letTryAgain()
      guard case .full(let obstacle) = test.store.condition else {
        Issue.record("It should be full: \(test.store.condition)")
        return
      }
      #expect(obstacle.since == since)
    }
    test.repair()
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    #expect(test.time.nextDelay == nil)
    #expect(await test.append(5, from: 10).acknowledged == 5)
    #expect(try await test.timestamps() == Array(0..<15))
    #expect(test.conditions.all.count == 2)
    await test.store.close()
  }

  @Test func `each write is synced before it is answered`() async throws {
    let test = try await BrokenStore()
    for n in 0..<5 {
      let before = store_fault_count(test.log, Int32(STORE_FAULT_SYNC.rawValue))
      #expect(await test.append(1, from: n).acknowledged == 1)
      #expect(store_fault_count(test.log, Int32(STORE_FAULT_SYNC.rawValue)) > before)
    }
    await test.store.close()
  }

  @Test func `writes that free space are admitted, and other writes follow`() async throws {
    let test = try await BrokenStore { $0.maxBytes = 200 * 4096 }
    let large = NewEvent(
      type: "t", timestamp: 1, source: "s", body: [UInt8](repeating: 32, count: 3000))
    var error: StoreError?
    var stored = 0
    while error == nil, stored < 1000 {
      do {
        _ = try await test.store.write(.single) { try $0.events.append([large]) }
        stored += 1
      } catch let failure { error = failure as? StoreError }
    }
    #expect(error?.code == .full)
    #expect(stored > 50)
    #expect(await test.append(1).error?.code == .full)
    let rule = EventRetentionRule(type: "t", count: 10)
    let step = try await test.store.write(.freeing) {
      try $0.events.retain(rule, now: 0, limit: 1000)
    }
    #expect(step.count == stored - 10)
    #expect(test.store.condition == .ready)
    #expect(await test.append(3).acknowledged == 3)
    #expect(try await test.timestamps().count == 13)
    await test.store.close()
  }

  @Test func `a write of nothing on a full disk doesn't report free space`() async throws {
    let test = try await BrokenStore()
    #expect(await test.append(10).acknowledged == 10)
    test.fails(test.log, STORE_FAULT_WRITE, code: Self.full)
    #expect(await test.append(1, from: 100).error?.code == .full)
    let since = try #require(test.store.condition.obstacle?.since)
    for _ in 0..<3 {
      test.time.advance(0)
      // Retention that finds nothing, as each minute.
      let step = try await test.store.write(.freeing) {
        try $0.events.retain(EventRetentionRule(type: "t", count: 100), now: 0, limit: 1000)
      }
      #expect(step.count == 0)
      #expect(test.store.condition.obstacle?.since == since)
    }
    #expect(test.conditions.all.count == 1)
    test.repair()
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    await test.store.close()
  }

  @Test func `a write in place at the limit doesn't report free space`() async throws {
    let test = try await BrokenStore { $0.maxBytes = 200 * 4096 }
    try await test.store.write { _ = try $0.consumers.register("c", after: 0, now: 0) }
    let large = NewEvent(
      type: "t", timestamp: 1, source: "s", body: [UInt8](repeating: 32, count: 3000))
    await #expect(throws: StoreError.self) {
      for _ in 0..<1000 {
        _ = try await test.store.write(.single) { try $0.events.append([large]) }
      }
    }
    let since = try #require(test.store.condition.obstacle?.since)
    for position: Int64 in 1...3 {
      let reached = try await test.store.write(.freeing) {
        try $0.consumers.acknowledge("c", through: position, now: position)
      }
      #expect(reached == position)
      #expect(test.store.condition.obstacle?.since == since)
    }
    // No "accepts writes again" in between.
    #expect(test.conditions.all.count == 1)
    await test.store.close()
  }

  @Test(arguments: [(STORE_FAULT_OPEN, Int32(14)), (STORE_FAULT_READ, Self.read)])
  func `a reader that can't be opened on a disk that fails reports a fault and reads later`(
    operation: store_fault_operation, code: Int32
  ) async throws {
    let test = try await BrokenStore()
    #expect(await test.append(3).acknowledged == 3)
    test.fails(test.file, operation, code: code)
    // Each read opens a connection, because none was opened so far.
    for _ in 0..<2 {
      await #expect {
        _ = try await test.store.read { try $0.events.lastPosition() }
      } throws: {
        ($0 as? StoreError)?.code == .fault
      }
    }
    await #expect { _ = try await test.store.integrityProblems() } throws: {
      ($0 as? StoreError)?.code == .fault
    }
    test.repair()
    #expect(try await test.timestamps() == [0, 1, 2])
    await test.store.close()
  }

  @Test func `a file at its own limit reports it, and takes more when the limit is raised`()
    async throws
  {
    let test = try await BrokenStore { $0.maxBytes = 200 * 4096 }
    let large = NewEvent(
      type: "t", timestamp: 1, source: "s", body: [UInt8](repeating: 32, count: 3000))
    var error: StoreError?
    for _ in 0..<1000 where error == nil {
      do {
        _ = try await test.store.write(.single) { try $0.events.append([large]) }
      } catch let failure { error = failure as? StoreError }
    }
    #expect(error?.code == .full && error?.message.contains("store.max_bytes") == true)
    try await test.store.limit(bytes: 400 * 4096)
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    _ = try await test.store.write(.single) { try $0.events.append([large]) }
    // A disk that is full before the limit is a fault of the disk.
    test.fails(test.log, STORE_FAULT_WRITE, code: Self.full)
    await test.store.close()
  }

  @Test func `writes during a check of the file are refused without waiting`() async throws {
    let test = try await BrokenStore()
    #expect(await test.append(3).acknowledged == 3)
    let writer = try await test.store.write(.single) { _ in store_fault_thread() }
    test.fails(test.log, STORE_FAULT_SYNC, code: Self.sync, times: 1)
    #expect(await test.append(1, from: 3).error?.code == .fault)
    store_fault_hold(test.file, Int32(STORE_FAULT_READ.rawValue))
    test.time.advance(test.time.nextDelay ?? 0)
    try await wait(while: store_fault_held(test.file) == 0)
    // The check stands still in the middle of the file.
    let isElsewhere = store_fault_held(test.file) != writer
    // Nobody would be answered before the check goes on.
    if !isElsewhere { store_fault_release(test.file) }
    #expect(isElsewhere)
    for n in 0..<3 { #expect(await test.append(1, from: 10 + n).error?.code == .fault) }
    store_fault_release(test.file)
    try await wait(while: test.store.condition != .ready)
    #expect(await test.append(1, from: 20).acknowledged == 1)
    await test.store.close()
  }

  @Test func `a group that fails because of the disk fails as a whole with the disk's error`()
    async throws
  {
    let test = try await BrokenStore()
    test.fails(test.log, STORE_FAULT_WRITE, code: Self.full, times: 1)
    let errors = try await test.store.group([
      Write(.savepoint) { _ = try $0.events.append([.sample()]) },
      Write(.single) { _ = try $0.events.append([.sample()]) },
    ])
    #expect(errors.map { ($0 as? StoreError)?.code } == [.full, .full])
    await test.store.close()
  }

  @Test func `a failed sync closes, reopens and checks the file before more writes`() async throws {
    let test = try await BrokenStore()
    #expect(await test.append(10).acknowledged == 10)
    test.fails(test.log, STORE_FAULT_SYNC, code: Self.sync, times: 1)
    #expect(await test.append(1, from: 10).error?.code == .fault)
    guard case .faulty = test.store.condition else {
      Issue.record("It should be faulty: \(test.store.condition)")
      return
    }
    let opened = store_fault_count(test.file, Int32(STORE_FAULT_OPEN.rawValue))
    #expect(await test.append(1, from: 11).error?.code == .fault)
    #expect(try await test.timestamps().starts(with: 0..<10))
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    #expect(store_fault_count(test.file, Int32(STORE_FAULT_OPEN.rawValue)) > opened)
    #expect(await test.append(5, from: 20).acknowledged == 5)
    // The one whose sync failed may be there; the one that was refused isn't.
    let kept = try await test.timestamps().filter { $0 != 10 }
    #expect(kept == Array(0..<10) + Array(20..<25))
    await test.store.close()
  }

  @Test func `a broken disk is tried ever more rarely`() async throws {
    let test = try await BrokenStore()
    #expect(await test.append(3).acknowledged == 3)
    test.fails(test.log, STORE_FAULT_SYNC, code: Self.sync)
    test.fails(test.file, STORE_FAULT_SYNC, code: Self.sync)
    #expect(await test.append(1, from: 3).error?.code == .fault)
    for _ in 0..<4 {
      await test.letTryAgain()
      guard case .faulty = test.store.condition else {
        Issue.record("It should be faulty: \(test.store.condition)")
        return
      }
    }
    #expect(test.time.nextDelay == 1600)
    test.repair()
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    let kept = try await test.timestamps().filter { $0 != 3 }
    #expect(kept == [0, 1, 2])
    await test.store.close()
  }

  @Test func `a disk that is full at reopening answers everybody and recovers`() async throws {
    let test = try await BrokenStore()
    #expect(await test.append(3).acknowledged == 3)
    test.fails(test.log, STORE_FAULT_SYNC, code: Self.sync, times: 1)
    #expect(await test.append(1, from: 3).error?.code == .fault)
    test.fails(test.file, STORE_FAULT_OPEN, code: Self.full)
    await test.letTryAgain()
    #expect(test.store.condition != .ready)
    for kind in [WriteKind.single, .savepoint, .freeing] {
      await #expect(throws: StoreError.self) { try await test.store.write(kind) { _ in } }
    }
    await #expect(throws: StoreError.self) { try await test.store.compact() }
    test.repair()
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    #expect(await test.append(1, from: 4).acknowledged == 1)
    await test.store.close()
  }

  @Test func `recent changes that a reader holds back are checkpointed once it ends`() async throws
  {
    let test = try await BrokenStore { $0.checkpointPages = 20 }
    let store = test.store
    let reached = Mutex(false)
    let done = DispatchSemaphore(value: 0)
    let reading = Task {
      try await store.read { snapshot in
        _ = try snapshot.events.lastPosition()
        reached.withLock { $0 = true }
        done.wait()
      }
    }
    try await wait(while: !reached.withLock({ $0 }))
    #expect(await test.append(100).acknowledged == 100)
    let held = store.statistics
    #expect(held.logPages > 100)
    // Not at every write, although it is longer than 20 pages throughout.
    #expect(held.checkpoints < 40)
    done.signal()
    try await reading.value
    #expect(await test.append(100, from: 100).acknowledged == 100)
    #expect(store.statistics.logPages < 100)
    await store.close()
  }

  @Test func `a file that was removed isn't replaced by an empty one`() async throws {
    let test = try await BrokenStore()
    #expect(await test.append(3).acknowledged == 3)
    test.fails(test.log, STORE_FAULT_SYNC, code: Self.sync, times: 1)
    #expect(await test.append(1, from: 3).error?.code == .fault)
    let away = test.folder.file("away.db")
    #expect(rename(test.file, away) == 0)
    await test.letTryAgain()
    guard case .faulty(let obstacle) = test.store.condition else {
      Issue.record("It should be faulty: \(test.store.condition)")
      return
    }
    #expect(obstacle.message.contains("is gone"))
    #expect(access(test.file, F_OK) != 0)
    #expect(rename(away, test.file) == 0)
    await test.letTryAgain()
    #expect(test.store.condition == .ready)
    #expect(try await test.timestamps().starts(with: [0, 1, 2]))
    await test.store.close()
  }

  @Test func `faults at every write and sync lose no acknowledged write`() async throws {
    let operations = [
      (STORE_FAULT_WRITE, Self.write), (STORE_FAULT_WRITE, Self.full),
      (STORE_FAULT_SYNC, Self.sync),
      (STORE_FAULT_READ, Self.read),
    ]
    for (operation, code) in operations {
      var refused = 0
      for skip in 0..<50 {
        // A checkpoint every few writes, so that the file itself meets faults too.
        let test = try await BrokenStore { $0.checkpointPages = 8 }
        let path = skip % 2 == 0 ? test.log : test.file
        var acknowledged: Set<Int64> = []
        var tried: Set<Int64> = []
        for n in 0..<40 {
          if n == 5 { test.fails(path, operation, code: code, skip: Int64(skip / 2), times: 3) }
          tried.insert(Int64(n))
          if await test.append(1, from: n).error == nil { acknowledged.insert(Int64(n)) }
          if test.store.condition != .ready { await test.letTryAgain() }
        }
        test.repair()
        for _ in 0..<5 where test.store.condition != .ready { await test.letTryAgain() }
        #expect(test.store.condition == .ready, "\(operation) \(code) \(skip)")
        let stored = try await test.timestamps()
        #expect(Set(stored).isSuperset(of: acknowledged), "\(operation) \(code) \(skip)")
        #expect(tried.isSuperset(of: stored))
        #expect(stored.count == Set(stored).count)
        #expect(acknowledged.count >= 30)
        refused += tried.count - acknowledged.count
        await test.store.close()
      }
      // Faults in the log always meet a write.
      #expect(refused >= 25, "\(operation) \(code)")
    }
  }
}
