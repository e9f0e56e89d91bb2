import AgentStore
import Testing

@Suite struct EventRetentionTests {
  private func positions(_ store: any Store) async throws -> [Int64] {
    try await store.read { try $0.events.page(EventSelection(), size: 1000).events.map(\.position) }
  }

  private struct Retained {
    var count = 0
    var bytes: Int64 = 0
    var steps = 0
  }

  private func retain(
    _ store: any Store, _ rule: EventRetentionRule, now: Int64 = 0, limit: Int = 3
  ) async throws -> Retained {
    var retained = Retained()
    while true {
      let step = try await store.write(.freeing) {
        try $0.events.retain(rule, now: now, limit: limit)
      }
      #expect(step.count <= limit)
      retained.count += step.count
      retained.bytes += step.bytes
      retained.steps += 1
      if step.isFinished { return retained }
    }
  }

  private func filled(_ implementation: Implementation) async throws -> StoreUnderTest {
    let test = try await StoreUnderTest(implementation)
    // Ten of each type, of 7 bytes each; the oldest timestamps come last.
    _ = try await test.store.write { transaction throws in
      for n in 0..<10 {
        _ = try transaction.events.append([
          .sample("a", at: Int64(100 - n), n: n), .sample("b", at: Int64(n), n: n),
        ])
      }
    }
    return test
  }

  @Test(arguments: Implementation.allCases)
  func `retention by age removes older events only, in steps`(_ implementation: Implementation)
    async throws
  {
    let test = try await filled(implementation)
    let removed = try await retain(
      test.store, EventRetentionRule(type: "a", age: 5), now: 100)
    #expect(removed.count == 4)
    #expect(removed.bytes == 28)
    #expect(removed.steps == 2)
    #expect(
      try await positions(test.store) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `retention by count and bytes removes the oldest by timestamp first`(
    _ implementation: Implementation
  ) async throws {
    let test = try await filled(implementation)
    #expect(try await retain(test.store, EventRetentionRule(type: "a", count: 4)).count == 6)
    #expect(try await retain(test.store, EventRetentionRule(type: "b", bytes: 15)).count == 8)
    #expect(try await positions(test.store) == [1, 3, 5, 7, 18, 20])
    let types = try await test.store.read { try $0.events.types() }
    #expect(types.map(\.count) == [4, 2])
    #expect(types.map(\.bytes) == [28, 14])
    #expect(types.map(\.first) == [97, 8])
    #expect(types.map(\.last) == [100, 9])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `events that a consumer needs stay, and a rule without limits removes nothing`(
    _ implementation: Implementation
  ) async throws {
    let test = try await filled(implementation)
    let rule = EventRetentionRule(type: "b", count: 0, keepsAfter: 4)
    #expect(try await retain(test.store, rule).count == 2)
    #expect(try await retain(test.store, EventRetentionRule(type: "b")).count == 0)
    #expect(try await retain(test.store, EventRetentionRule(type: "unknown", count: 0)).count == 0)
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `extreme rules don't trap`(_ implementation: Implementation) async throws {
    let test = try await filled(implementation)
    let rules = [
      EventRetentionRule(type: "a", age: .max), EventRetentionRule(type: "a", age: .min),
      EventRetentionRule(type: "b", count: .min, bytes: .min, keepsAfter: .max),
    ]
    for rule in rules {
      for now in [Int64.min, 0, .max] {
        _ = try await retain(test.store, rule, now: now, limit: 100)
      }
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `no position is reused, even after all was removed and the store reopened`(
    _ implementation: Implementation
  ) async throws {
    var test = try await filled(implementation)
    for type in ["a", "b"] {
      _ = try await retain(test.store, EventRetentionRule(type: type, count: 0))
    }
    #expect(try await positions(test.store) == [])
    #expect(try await test.store.read { try $0.events.lastPosition() } == 20)
    test = try await test.reopened(implementation)
    let next = try await test.store.write { try $0.events.append([.sample()]) }
    #expect(next == 21..<22)
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an event with a key replaces the earlier one`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    let events = [
      NewEvent.sample("a", at: 1, n: 1, key: "k"), .sample("a", at: 2, n: 2, key: "k"),
      .sample("b", at: 3, n: 3, key: "k"), .sample("a", at: 4, n: 4),
    ]
    _ = try await test.store.write(.single) { try $0.events.append(events) }
    test = try await test.reopened(implementation)
    _ = try await test.store.write(.single) {
      try $0.events.append([
        .sample("b", at: 5, n: 5, key: "k"), .sample("a", at: 6, n: 6, key: ""),
      ])
    }
    #expect(try await positions(test.store) == [2, 4, 5, 6])
    let types = try await test.store.read { try $0.events.types() }
    #expect(types.map(\.count) == [3, 1])
    #expect(types.map(\.first) == [2, 5])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an event without a type is refused with its whole batch`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    await #expect {
      _ = try await test.store.write(.single) {
        try $0.events.append([.sample(), .sample("")])
      }
    } throws: { ($0 as? StoreError)?.code == .invalid }
    #expect(try await positions(test.store) == [])
    await test.store.close()
  }
}
