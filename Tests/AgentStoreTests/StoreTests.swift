import AgentStore
import Synchronization
import Testing

/// The promises of a store about writes and reads, whatever they contain.
@Suite struct StoreTests {
  struct Refusal: Error, Equatable {}

  private func numbers(_ store: any Store) async throws -> [Int64] {
    try await store.read {
      try $0.events.page(EventSelection(), size: 1000).events.map(\.timestamp)
    }
  }

  @Test(arguments: Implementation.allCases)
  func `a failed write takes no other write of its transaction with it`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let before = test.store.statistics.commits
    let errors = try await test.store.group([
      Write(.single) { _ = try $0.events.append([.sample(at: 1)]) },
      Write(.savepoint) {
        _ = try $0.events.append([.sample("new", at: 2)])
        throw Refusal()
      },
      Write(.single) { _ in throw Refusal() },
      Write(.savepoint) { _ = try $0.events.append([.sample("new", at: 3), .sample(at: 4)]) },
    ])
    #expect(errors.map { $0 is Refusal } == [false, true, true, false])
    #expect(try await numbers(test.store) == [1, 3, 4])
    // The held write, and the group.
    #expect(test.store.statistics.commits == before + 2)
    #expect(test.store.statistics.lastGroup == 2)
    #expect(test.store.statistics.largestGroup == 2)
    #expect(test.store.statistics.groups.counts.reduce(0, +) == test.store.statistics.commits)
    #expect(test.store.statistics.groups.sum == Double(test.store.statistics.writes))
    #expect(test.store.statistics.durations.counts.reduce(0, +) == before + 2)
    #expect(test.store.statistics.failures == 2)
    let types = try await test.store.read { try $0.events.types() }
    #expect(types.map(\.type) == ["new", "t"])
    #expect(types.map(\.count) == [1, 2])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a write without a savepoint that fails after a change fails its transaction`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let errors = try await test.store.group([
      Write(.savepoint) { _ = try $0.events.append([.sample(at: 1)]) },
      Write(.single) {
        _ = try $0.events.append([.sample(at: 2)])
        throw Refusal()
      },
      Write(.savepoint) { _ = try $0.events.append([.sample(at: 3)]) },
    ])
    #expect(errors.compactMap { ($0 as? StoreError)?.code } == [.group, .group, .group])
    #expect(try await numbers(test.store) == [])
    #expect(test.store.condition == .ready)
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `actions run in order after the commit, but not those of a failed write`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let seen = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { text in seen.withLock { $0.append(text) } }
    _ = try await test.store.group([
      Write(.savepoint) { $0.afterCommit { note("a") } },
      Write(.savepoint) {
        $0.afterCommit { note("never") }
        throw Refusal()
      },
      Write(.single) {
        $0.afterCommit { note("b") }
        $0.afterCommit { note("c") }
      },
    ])
    #expect(seen.withLock { $0 } == ["a", "b", "c"])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a read sees completed writes and one state throughout`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let store = test.store
    _ = try await store.write { try $0.events.append([.sample(at: 1)]) }
    let seen = try await store.read { snapshot in
      let first = try snapshot.events.page(EventSelection(), size: 9).events.count
      let done = Mutex(false)
      store.submit(.single, { _ = try $0.events.append([.sample(at: 2)]) }) { _ in
        done.withLock { $0 = true }
      }
      while !done.withLock({ $0 }) {}
      return [first, try snapshot.events.page(EventSelection(), size: 9).events.count]
    }
    #expect(seen == [1, 1])
    #expect(try await numbers(store) == [1, 2])
    await store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a read that throws reports it, and the next one works`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    for _ in 0..<10 {
      await #expect(throws: Refusal.self) {
        try await test.store.read { _ in throw Refusal() }
      }
    }
    #expect(try await numbers(test.store) == [])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `many producers at once share transactions without loss`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let store = test.store
    let positions = try await withThrowingTaskGroup { tasks in
      for producer in 0..<16 {
        tasks.addTask {
          var positions: [Int64] = []
          for n in 0..<50 {
            let event = NewEvent.sample(at: Int64(producer), n: n)
            positions.append(
              contentsOf: Array(try await store.write(.single) { try $0.events.append([event]) }))
          }
          return positions
        }
      }
      var all: [Int64] = []
      for try await some in tasks {
        // Each producer's own come in its order.
        #expect(some == some.sorted())
        all += some
      }
      return all
    }
    #expect(Set(positions).count == 800)
    #expect(try await numbers(store).count == 800)
    #expect(store.statistics.writes == 800)
    await store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `closing completes queued writes, and later calls report that it is closed`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let store = test.store
    let stored = Mutex(0)
    for n in 0..<100 {
      store.submit(.single, { _ = try $0.events.append([.sample(at: Int64(n))]) }) { result in
        if case .success = result { stored.withLock { $0 += 1 } }
      }
    }
    await store.close()
    await store.close()
    #expect(stored.withLock { $0 } == 100)
    #expect(store.condition == .closed)
    await #expect { try await store.write { _ in } } throws: {
      ($0 as? StoreError)?.code == .closed
    }
    await #expect { try await store.read { _ in } } throws: { ($0 as? StoreError)?.code == .closed }
  }

  @Test func `the example of docs/store-internals.md works`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let now = Int64(5)
    let event = NewEvent.sample("trade")
    let announced = Mutex<[Range<Int64>]>([])
    let seen = Mutex<[Int64]>([])
    let announce: @Sendable (Range<Int64>) -> Void = { range in
      announced.withLock { $0.append(range) }
    }
    let read: (StoredEvent) -> Void = { stored in seen.withLock { $0.append(stored.position) } }

    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
    let position = try await store.write { transaction in
      let positions = try transaction.events.append([event])
      _ = try transaction.consumers.register("index", after: 0, now: now)
      try transaction.consumers.acknowledge("index", through: positions.lowerBound, now: now)
      transaction.afterCommit { announce(positions) }
      return positions.lowerBound
    }
    for try await page in store.pages(of: EventSelection(types: ["trade"], order: .timestamp)) {
      for stored in page { read(stored) }
    }
    await store.close()

    #expect(position == 1)
    #expect(announced.withLock { $0 } == [1..<2])
    #expect(seen.withLock { $0 } == [1])
  }
}
