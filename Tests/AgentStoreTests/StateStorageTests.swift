import AgentStore
import Testing

@Suite struct StateStorageTests {
  private func set(_ key: String, _ value: String?, expected: Int64? = nil) -> StateChange {
    StateChange(key: key, value: value.map { Array($0.utf8) }, expected: expected)
  }

  private func change(
    _ store: any Store, owner: String, changes: [StateChange], now: Int64 = 0
  ) async throws -> Int64 {
    try await store.write { try $0.state.change(changes, of: owner, now: now) }
  }

  private func values(
    _ store: any Store, _ owner: String, prefix: String = "", after: String? = nil, limit: Int = 99
  ) async throws -> [String] {
    try await store.read {
      try $0.state.values(of: owner, prefix: prefix, after: after, limit: limit).map {
        "\($0.key)=\(String(decoding: $0.value, as: UTF8.self))"
      }
    }
  }

  private func code(_ body: () async throws -> Void) async -> StoreError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? StoreError)?.code }
  }

  @Test(arguments: Implementation.allCases)
  func `owners are separate, and several keys change together`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    #expect(try await change(test.store, owner: "p", changes: [set("a", "1"), set("b", "2")]) == 1)
    #expect(try await change(test.store, owner: "q", changes: [set("a", "3")]) == 1)
    #expect(
      try await change(
        test.store, owner: "p", changes: [set("a", "4"), set("b", nil), set("c", "5")]) == 2)
    test = try await test.reopened(implementation)
    #expect(try await values(test.store, "p") == ["a=4", "c=5"])
    #expect(try await values(test.store, "q") == ["a=3"])
    #expect(try await values(test.store, "r") == [])
    let row = try await test.store.read { try $0.state.value("a", of: "p") }
    #expect(row?.version == 2)
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a change with an expected version applies only if nobody changed the key before`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let store = test.store
    #expect(try await change(store, owner: "p", changes: [set("a", "1", expected: 0)]) == 1)
    #expect(
      await code { _ = try await change(store, owner: "p", changes: [set("a", "2", expected: 0)]) }
        == .conflict)
    #expect(
      await code {
        _ = try await change(
          store, owner: "p", changes: [set("b", "2"), set("a", "2", expected: 7)])
      } == .conflict)
    #expect(
      await code { _ = try await change(store, owner: "p", changes: [set("x", nil, expected: 1)]) }
        == .conflict)
    #expect(try await values(store, "p") == ["a=1"])
    #expect(try await change(store, owner: "p", changes: [set("a", "2", expected: 1)]) == 2)
    // A key that was removed and set again has no version that it had before.
    _ = try await change(store, owner: "p", changes: [set("a", nil)])
    #expect(try await change(store, owner: "p", changes: [set("a", "2")]) == 4)
    #expect(
      await code { _ = try await change(store, owner: "p", changes: [set("a", "3", expected: 2)]) }
        == .conflict)
    await store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `history has the last versions, including removals`(
    _ implementation: Implementation
  ) async throws {
    var limits = StateLimits()
    limits.history = 3
    let test = try await StoreUnderTest(implementation, state: limits)
    for n in 1...5 {
      _ = try await change(test.store, owner: "p", changes: [set("a", "\(n)")], now: Int64(n))
    }
    _ = try await change(test.store, owner: "p", changes: [set("a", nil)], now: 6)
    _ = try await change(test.store, owner: "p", changes: [set("a", "7")], now: 7)
    let history = try await test.store.read { try $0.state.history(of: "a", owner: "p") }
    #expect(history.map(\.version) == [6, 5, 4])
    #expect(
      history.map { $0.value.map { String(decoding: $0, as: UTF8.self) } } == [nil, "5", "4"])
    #expect(history.map(\.updated) == [6, 5, 4])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a change that is too large is refused before anything changes`(
    _ implementation: Implementation
  ) async throws {
    var limits = StateLimits()
    limits.keyBytes = 4
    limits.valueBytes = 10
    limits.ownerBytes = 24
    let test = try await StoreUnderTest(implementation, state: limits)
    let store = test.store
    let ten = "1234567890"
    _ = try await change(store, owner: "p", changes: [set("a", ten), set("b", ten)])
    for changes in [
      [set("c", "1"), set("d", ten + "1")], [set("c", "12")], [set("abcde", "1")],
      [set("", "1")], [set("c", "1"), set("c", "1")],
    ] {
      #expect(
        await code { _ = try await change(store, owner: "p", changes: changes) } == .invalid,
        "\(changes)")
    }
    #expect(
      await code { _ = try await change(store, owner: "", changes: [set("a", "1")]) } == .invalid)
    _ = try await change(store, owner: "p", changes: [set("c", "1")])
    // An owner that is full can still become smaller, or swap.
    _ = try await change(store, owner: "p", changes: [set("a", nil), set("d", ten)])
    #expect(try await values(store, "p") == ["b=\(ten)", "c=1", "d=\(ten)"])
    let owner = try await store.read { try $0.state.owners() }
    #expect(owner.map(\.bytes) == [24])
    #expect(owner.map(\.count) == [3])
    #expect(try await store.read { try $0.state.owner("p") } == owner.first)
    #expect(try await store.read { try $0.state.owner("q") } == nil)
    await store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an owner's keys are bounded, and can be swapped at the bound`(
    _ implementation: Implementation
  ) async throws {
    var limits = StateLimits()
    limits.ownerKeys = 2
    let test = try await StoreUnderTest(implementation, state: limits)
    let store = test.store
    _ = try await change(store, owner: "p", changes: [set("a", "1"), set("b", "2")])
    #expect(
      await code { _ = try await change(store, owner: "p", changes: [set("c", "3")]) } == .invalid)
    _ = try await change(store, owner: "p", changes: [set("a", nil), set("c", "3"), set("b", "4")])
    #expect(try await values(store, "p") == ["b=4", "c=3"])
    await store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a key that is only compared stays unchanged and can stop the others`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let store = test.store
    _ = try await change(store, owner: "p", changes: [set("a", "1")])
    #expect(
      try await change(store, owner: "p", changes: [.check("a", expected: 1), set("b", "2")]) == 2)
    #expect(try await change(store, owner: "p", changes: [.check("a", expected: 1)]) == 2)
    #expect(
      try await change(store, owner: "p", changes: [.check("c", expected: 0), set("b", "3")]) == 3)
    for check in [StateChange.check("a", expected: 2), .check("c", expected: 1)] {
      #expect(
        await code { _ = try await change(store, owner: "p", changes: [check, set("b", "4")]) }
          == .conflict)
    }
    #expect(try await values(store, "p") == ["a=1", "b=3"])
    let history = try await store.read { try $0.state.history(of: "a", owner: "p") }
    #expect(history == [])
    await store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `history has its own limit, which drops the oldest`(
    _ implementation: Implementation
  ) async throws {
    var limits = StateLimits()
    limits.historyBytes = 10
    let test = try await StoreUnderTest(implementation, state: limits)
    for n in 0..<20 {
      _ = try await change(test.store, owner: "p", changes: [set("k\(n)", "1")])
      _ = try await change(test.store, owner: "p", changes: [set("k\(n)", nil)])
    }
    var kept: [String] = []
    for n in 0..<20 {
      let history = try await test.store.read { try $0.state.history(of: "k\(n)", owner: "p") }
      if !history.isEmpty { kept.append("k\(n)") }
    }
    #expect(kept == ["k18", "k19"])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `keys are listed by prefix, page by page, in byte order`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let keys = ["a", "a/", "a/1", "a/2", "a/é", "a0", "b", "%_", "e\u{301}", "é"]
    _ = try await change(test.store, owner: "p", changes: keys.map { set($0, "1") })
    let store = test.store
    #expect(try await values(store, "p", prefix: "a/") == ["a/=1", "a/1=1", "a/2=1", "a/é=1"])
    #expect(try await values(store, "p", prefix: "a/", limit: 2) == ["a/=1", "a/1=1"])
    #expect(try await values(store, "p", prefix: "a/", after: "a/1") == ["a/2=1", "a/é=1"])
    #expect(
      try await values(store, "p", prefix: "a/", after: "a") == ["a/=1", "a/1=1", "a/2=1", "a/é=1"])
    #expect(try await values(store, "p", prefix: "a/", after: "b") == [])
    #expect(try await values(store, "p", prefix: "%") == ["%_=1"])
    #expect(try await values(store, "p").count == keys.count)
    _ = try await change(store, owner: "p", changes: [set("a/2", "12345")], now: 7)
    let listed = try await store.read {
      try $0.state.keys(of: "p", prefix: "a/", after: "a/1", limit: 1)
    }
    #expect(listed.map(\.key) == ["a/2"])
    #expect(listed.map(\.bytes) == [5])
    #expect(listed.map(\.version) == [2])
    #expect(listed.map(\.updated) == [7])
    await store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `forgetting an owner removes everything`(_ implementation: Implementation) async throws {
    let test = try await StoreUnderTest(implementation)
    _ = try await change(test.store, owner: "p", changes: [set("a", "1")])
    _ = try await change(test.store, owner: "p", changes: [set("a", "2")])
    _ = try await change(test.store, owner: "q", changes: [set("a", "2")])
    try await test.store.write { try $0.state.forget(owner: "p") }
    #expect(try await values(test.store, "p") == [])
    let (owners, history) = try await test.store.read {
      (try $0.state.owners(), try $0.state.history(of: "a", owner: "p"))
    }
    #expect(owners.map(\.owner) == ["q"])
    #expect(history == [])
    await test.store.close()
  }
}
