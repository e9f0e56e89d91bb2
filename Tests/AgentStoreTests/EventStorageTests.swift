import AgentStore
import Testing

@Suite struct EventStorageTests {
  private func all(_ store: any Store, _ selection: EventSelection, size: Int = 1000) async throws
    -> [StoredEvent]
  {
    var events: [StoredEvent] = []
    for try await page in store.pages(of: selection, size: size) { events += page }
    return events
  }

  @Test(arguments: Implementation.allCases)
  func `appended events are read back byte by byte, in order, after a restart`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    let events = [
      NewEvent(type: "é\u{0}x", timestamp: .min, source: "", body: []),
      NewEvent(
        type: "a", timestamp: .max, source: "a source with more than 15 bytes", body: [0, 255, 10]),
    ]
    let positions = try await test.store.write(.single) { try $0.events.append(events) }
    #expect(positions == 1..<3)
    test = try await test.reopened(implementation)
    let stored = try await all(test.store, EventSelection())
    #expect(stored.map(\.position) == [1, 2])
    #expect(stored.map(\.type) == events.map(\.type))
    #expect(stored.map(\.timestamp) == events.map(\.timestamp))
    #expect(stored.map(\.source) == events.map(\.source))
    #expect(stored.map(\.body) == events.map(\.body))
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `types that look the same but differ in bytes are two types`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    for type in ["\u{e9}", "e\u{301}", "\u{e9}"] {
      _ = try await test.store.write(.single) { try $0.events.append([.sample(type)]) }
    }
    let types = try await test.store.read { try $0.events.types() }
    #expect(types.map { Array($0.type.utf8) } == [[0x65, 0xcc, 0x81], [0xc3, 0xa9]])
    #expect(types.map(\.count) == [1, 2])
    #expect(try await all(test.store, EventSelection(types: ["\u{e9}"])).count == 2)
    #expect(try await all(test.store, EventSelection(types: ["e\u{301}", "\u{e9}"])).count == 3)
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `types are found whatever their case, also those that were added and rolled back`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let store = test.store
    func spelled(_ names: Set<String>) async throws -> Set<String> {
      Set(try await store.read { try $0.events.types(spelledLike: names) })
    }
    _ = try await store.write { try $0.events.append([.sample("Trade"), .sample("ÄTHER")]) }
    #expect(try await spelled(["trade", "äther", "quote"]) == ["Trade", "ÄTHER"])
    let inTransaction = try? await store.write { transaction -> [String] in
      _ = try transaction.events.append([.sample("quote")])
      #expect(try transaction.events.types(spelledLike: ["quote"]) == ["quote"])
      throw StoreError(.invalid, "rolled back")
    }
    #expect(inTransaction == nil)
    #expect(try await spelled(["quote"]).isEmpty)
    _ = try await store.write { try $0.events.append([.sample("TRADE"), .sample("other")]) }
    #expect(try await spelled(["trade"]) == ["Trade", "TRADE"])
    let seen = try await store.write { try $0.events.types(spelledLike: ["quote", "other"]) }
    #expect(seen == ["other"])
    await store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `selections by type, time and position, in both orders, agree with a filter in memory`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    // Timestamps that repeat and go back.
    let events = (0..<300).map { n in
      NewEvent.sample(["a", "b", "c"][n % 3], at: Int64((n * 37) % 50), n: n)
    }
    _ = try await test.store.write { try $0.events.append(events) }
    let everything = try await all(test.store, EventSelection())
    #expect(everything.count == 300)
    for selection in Self.selections {
      let expected = selection.applied(to: everything)
      for size in [1, 7, 1000] {
        let found = try await all(test.store, selection, size: size)
        #expect(found.map(\.position) == expected.map(\.position), "\(selection), \(size)")
      }
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a transaction reads the events that it has appended, and a removal hides none`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    @Sendable func keys(_ page: EventPage) -> [Int64] { page.events.map(\.timestamp) }
    let newestFirst = EventSelection(order: .timestamp, isBackwards: true)
    let positions = try await test.store.write { transaction throws in
      let positions = try transaction.events.append([.sample("a", at: 9), .sample("b", at: 4)])
      #expect(keys(try transaction.events.page(newestFirst, size: 9)) == [9, 4])
      _ = try transaction.events.append([.sample("a", at: 2), .sample("b", at: 3)])
      #expect(keys(try transaction.events.page(newestFirst, size: 9)) == [9, 4, 3, 2])
      return positions
    }
    #expect(positions == 1..<3)
    try await test.store.write { transaction throws in
      let rule = EventRetentionRule(type: "a", count: 0)
      #expect(try transaction.events.retain(rule, now: 0, limit: 9).count == 2)
      #expect(keys(try transaction.events.page(newestFirst, size: 9)) == [4, 3])
      _ = try transaction.events.append([.sample("a", at: 1)])
    }
    #expect(try await all(test.store, newestFirst, size: 1).map(\.timestamp) == [4, 3, 1])
    await test.store.close()
  }

  private static var selections: [EventSelection] {
    var selections: [EventSelection] = []
    for order in [EventSelection.Order.position, .timestamp] {
      for isBackwards in [false, true] {
        for types in [nil, ["a"], ["c", "a", "a", "unknown"], ["unknown"], []] {
          for limit in [nil, 0, 5] {
            selections.append(
              EventSelection(types: types, order: order, isBackwards: isBackwards, limit: limit))
            selections.append(
              EventSelection(
                types: types, after: 20, through: 250, from: 10, before: 40, order: order,
                isBackwards: isBackwards, limit: limit))
          }
        }
        selections.append(
          EventSelection(from: 10, before: 10, order: order, isBackwards: isBackwards))
        selections.append(
          EventSelection(after: .max, before: .min, order: order, isBackwards: isBackwards))
      }
    }
    return selections
  }
}

extension EventSelection {
  /// What a store must return, the simple way.
  fileprivate func applied(to events: [StoredEvent]) -> [StoredEvent] {
    var found = events.filter {
      (types?.contains($0.type) ?? true) && $0.position > after ?? .min
        && $0.position <= through ?? .max && $0.timestamp >= from ?? .min
        && (before == nil || $0.timestamp < before ?? 0)
    }
    if order == .timestamp {
      found.sort { ($0.timestamp, $0.position) < ($1.timestamp, $1.position) }
    }
    if isBackwards { found.reverse() }
    return Array(found.prefix(limit ?? .max))
  }
}
