import AgentStore
import Testing

/// Notices on their way.
@Suite struct DeliveryStorageTests {
  private func delivery(
    _ key: String, to notifier: String = "n", alert: Int64? = 1, next: Int64 = 0,
    state: DeliveryRow.State = .queued, updated: Int64 = 1
  ) -> DeliveryRow {
    DeliveryRow(
      key: key, alert: alert, notifier: notifier, kind: "opened", state: state, next: next,
      created: 1, updated: updated, notice: Array("{}".utf8))
  }

  private static func unknown(_ row: DeliveryRow) -> DeliveryRow {
    var row = row
    row.id = 99
    return row
  }

  @Test(arguments: Implementation.allCases)
  func `a delivery is kept with all it has, its key only once`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    let row = try await test.store.write { [self] transaction throws in
      let deliveries = transaction.deliveries
      var row = delivery("a")
      row.id = try deliveries.insert(row)
      #expect { try deliveries.insert(delivery("a")) } throws: {
        ($0 as? StoreError)?.code == .conflict
      }
      (row.state, row.attempts, row.next, row.updated) = (.failed, 3, 50, 40)
      row.error = "no"
      try deliveries.update(row)
      let missing = Self.unknown(row)
      #expect { try deliveries.update(missing) } throws: {
        ($0 as? StoreError)?.code == .missing
      }
      return row
    }
    test = try await test.reopened(implementation)
    try await test.store.read { snapshot throws in
      #expect(try snapshot.deliveries.delivery(row.id) == row)
      #expect(try snapshot.deliveries.delivery(9) == nil)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `deliveries are selected and counted`(_ implementation: Implementation) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let deliveries = transaction.deliveries
      try deliveries.insert(delivery("a"))
      try deliveries.insert(delivery("b", to: "m", alert: nil))
      try deliveries.insert(delivery("c", alert: 2, state: .delivered))
      func keys(_ selection: DeliverySelection) throws -> [String] {
        try deliveries.deliveries(selection).map(\.key)
      }
      #expect(try keys(DeliverySelection()) == ["c", "b", "a"])
      #expect(try keys(DeliverySelection(alert: 1)) == ["a"])
      #expect(try keys(DeliverySelection(state: .queued)) == ["b", "a"])
      #expect(try keys(DeliverySelection(notifier: "n")) == ["c", "a"])
      #expect(try keys(DeliverySelection(before: 3, limit: 1)) == ["b"])
      let counts = try deliveries.deliveryCounts()
      #expect(
        counts.map { "\($0.notifier) \($0.state.rawValue) \($0.count)" } == [
          "m queued 1", "n delivered 1", "n queued 1",
        ])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `what is due is found for each notifier, and what was interrupted is queued again`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let deliveries = transaction.deliveries
      #expect(try deliveries.nextDelivery(without: []) == nil)
      try deliveries.insert(delivery("a", next: 20))
      try deliveries.insert(delivery("b", next: 10, state: .failed))
      try deliveries.insert(delivery("c", to: "m", next: 15))
      try deliveries.insert(delivery("d", to: "z", next: 1, state: .delivered))
      try deliveries.insert(delivery("e", to: "z", next: 1, state: .sending))
      #expect(try deliveries.nextDelivery(without: []) == 10)
      #expect(try deliveries.nextDelivery(without: ["n"]) == 15)
      #expect(try deliveries.notifiersDue(by: 10) == ["n"])
      #expect(try deliveries.notifiersDue(by: 20) == ["m", "n"])
      #expect(try deliveries.due("n", by: 20, limit: 5).map(\.key) == ["b", "a"])
      #expect(try deliveries.due("n", by: 20, limit: 1).map(\.key) == ["b"])
      #expect(try deliveries.requeueInterrupted(now: 30) == 1)
      #expect(try deliveries.due("z", by: 30, limit: 5).map(\.key) == ["e"])
      #expect(try deliveries.requeueInterrupted(now: 30) == 0)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `what has ended is removed unless its alert is still there`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let (alerts, deliveries) = (transaction.alerts, transaction.deliveries)
      let open = try alerts.insert(
        AlertRow(rule: "r", key: "k", topic: "t", severity: "info", opened: 1, updated: 1))
      try deliveries.insert(delivery("open", alert: open, state: .delivered))
      try deliveries.insert(delivery("gone", alert: 99, state: .givenUp))
      try deliveries.insert(delivery("test", alert: nil, state: .delivered))
      try deliveries.insert(delivery("late", alert: nil, state: .delivered, updated: 100))
      try deliveries.insert(delivery("queued", alert: nil))
      #expect(try deliveries.remove(endedBefore: 50, limit: 1) == 1)
      #expect(try deliveries.remove(endedBefore: 50, limit: 10) == 1)
      #expect(
        try deliveries.deliveries(DeliverySelection()).map(\.key) == [
          "queued", "late", "open",
        ])
    }
    await test.store.close()
  }
}
