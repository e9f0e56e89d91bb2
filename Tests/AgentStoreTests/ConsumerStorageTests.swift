import AgentStore
import Testing

@Suite struct ConsumerStorageTests {
  @Test(arguments: Implementation.allCases)
  func `a consumer keeps its position, which only moves forwards`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      let consumers = transaction.consumers
      #expect(try consumers.register("b", after: 5, now: 1).position == 5)
      #expect(try consumers.register("a", after: 9, now: 1).position == 9)
      #expect(try consumers.register("b", after: 7, now: 2).position == 5)
      #expect(try consumers.acknowledge("b", through: 12, now: 3) == 12)
      #expect(try consumers.acknowledge("b", through: 11, now: 4) == 12)
      #expect(try consumers.oldestPosition() == 9)
    }
    test = try await test.reopened(implementation)
    let rows = try await test.store.read { try $0.consumers.consumers() }
    #expect(rows.map(\.name) == ["a", "b"])
    #expect(rows.map(\.position) == [9, 12])
    #expect(rows.map(\.created) == [1, 1])
    #expect(rows.map(\.updated) == [1, 3])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an unknown consumer can't acknowledge, and a removed one is forgotten`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      let consumers = transaction.consumers
      #expect(try consumers.oldestPosition() == nil)
      #expect { try consumers.acknowledge("x", through: 1, now: 0) } throws: {
        ($0 as? StoreError)?.code == .missing
      }
      #expect { try consumers.register("", after: 1, now: 0) } throws: {
        ($0 as? StoreError)?.code == .invalid
      }
      _ = try consumers.register("x", after: 0, now: 0)
      #expect(try consumers.remove("x"))
      #expect(try !consumers.remove("x"))
      #expect(try consumers.consumer("x") == nil)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `derived events and their consumer's position are stored together or not at all`(
    _ implementation: Implementation
  ) async throws {
    struct Refusal: Error {}
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { _ = try $0.consumers.register("c", after: 0, now: 0) }
    try? await test.store.write { transaction throws in
      _ = try transaction.events.append([.sample()])
      try transaction.consumers.acknowledge("c", through: 1, now: 0)
      throw Refusal()
    }
    let (position, last) = try await test.store.read {
      (try $0.consumers.consumer("c")?.position, try $0.events.lastPosition())
    }
    #expect(position == 0)
    #expect(last == 0)
    await test.store.close()
  }
}
