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
  func `a delivery is stored completely, and its key is unique`(
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
      row.state = .failed
      row.attempts = 3
      row.next = 50
      row.updated = 40
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
  func `each notifier's due deliveries are found, and interrupted ones are queued again`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let deliveries = transaction.deliveries
      #expect(try deliveries.nextDelivery(without: []) == nil)
      try deliveries.insert(delivery("a", next: 20))
      try deliveries.insert(delivery("b", alert: 2, next: 10, state: .failed))
      try deliveries.insert(delivery("c", to: "m", next: 15))
      try deliveries.insert(delivery("d", to: "z", next: 1, state: .delivered))
      try deliveries.insert(delivery("e", to: "z", next: 1, state: .sending))
      #expect(try deliveries.nextDelivery(without: []) == 10)
      #expect(try deliveries.nextDelivery(without: ["n"]) == 15)
      #expect(try deliveries.notifiersDue(by: 10) == ["n"])
      #expect(try deliveries.notifiersDue(by: 20) == ["m", "n"])
      #expect(try deliveries.due("n", by: 20, limit: 5).map(\.key) == ["b", "a"])
      #expect(try deliveries.due("n", by: 20, limit: 1).map(\.key) == ["b"])
      #expect(try deliveries.requeueInterrupted(except: [], now: 30) == 1)
      #expect(try deliveries.due("z", by: 30, limit: 5).map(\.key) == ["e"])
      #expect(try deliveries.requeueInterrupted(except: [], now: 30) == 0)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a notice waits for the earlier ones of its alert to the same notifier`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let deliveries = transaction.deliveries
      let opened = try deliveries.insert(delivery("opened", next: 90, state: .failed))
      try deliveries.insert(delivery("resolved", next: 10))
      try deliveries.insert(delivery("another alert", alert: 2, next: 20))
      try deliveries.insert(delivery("another notifier", to: "m", next: 30))
      try deliveries.insert(delivery("test", alert: nil, next: 40))
      func due(_ name: String) throws -> [String] {
        try deliveries.due(name, by: 80, limit: 9).map(\.key)
      }
      #expect(try due("n") == ["another alert", "test"])
      #expect(try due("m") == ["another notifier"])
      // The waiter for the earliest isn't woken for a delivery that can't be sent yet.
      #expect(try deliveries.nextDelivery(without: []) == 20)
      for state in [DeliveryRow.State.sending, .delivered, .givenUp] {
        var row = try #require(try deliveries.delivery(opened))
        row.state = state
        try deliveries.update(row)
        #expect(try due("n").contains("resolved") == (state != .sending))
      }
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `interrupted deliveries differ from ones being sent, and a test is given up`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let deliveries = transaction.deliveries
      let busy = try deliveries.insert(delivery("busy", alert: 1, state: .sending))
      try deliveries.insert(delivery("lost", alert: 2, state: .sending))
      let tried = try deliveries.insert(
        DeliveryRow(
          key: "test", alert: nil, notifier: "n", kind: "test", state: .sending, next: .max,
          created: 1, updated: 1, notice: Array("{}".utf8)))
      #expect(try deliveries.requeueInterrupted(except: [busy], now: 30) == 1)
      #expect(try deliveries.due("n", by: 30, limit: 9).map(\.key) == ["lost"])
      #expect(try deliveries.delivery(busy)?.state == .sending)
      #expect(try deliveries.delivery(tried)?.state == .givenUp)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an alert's pending deliveries are given up`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let deliveries = transaction.deliveries
      var failed = delivery("failed", state: .failed)
      failed.id = try deliveries.insert(failed)
      try deliveries.insert(delivery("queued"))
      try deliveries.insert(delivery("sending", state: .sending))
      try deliveries.insert(delivery("delivered", state: .delivered))
      try deliveries.insert(delivery("of another", alert: 2))
      #expect(try !deliveries.hasTried(alert: 1, by: "n"))
      failed.attempts = 1
      try deliveries.update(failed)
      #expect(try deliveries.hasTried(alert: 1, by: "n"))
      #expect(try !deliveries.hasTried(alert: 1, by: "m"))
      #expect(try deliveries.giveUp(alert: 1, because: "over", now: 9) == 2)
      let rows = try deliveries.deliveries(DeliverySelection(state: .givenUp))
      #expect(rows.map(\.key) == ["queued", "failed"] && rows.allSatisfy { $0.error == "over" })
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `alerts and deliveries are kept up to their limits`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let (alerts, deliveries) = (transaction.alerts, transaction.deliveries)
      for number in 1...10 {
        let alert = try alerts.insert(
          AlertRow(
            rule: "r", key: "\(number)", topic: "t", state: .resolved, severity: "info", opened: 1,
            updated: 1, closed: number == 4 ? nil : Int64(number)))
        try alerts.append(AlertStep(alert: alert, timestamp: 1, what: "opened", actor: "rule r"))
        try deliveries.insert(
          delivery("\(number)", alert: alert, state: .delivered, updated: Int64(number)))
      }
      #expect(try alerts.remove(closedBeyond: 5, limit: 3) == 3)
      #expect(try alerts.remove(closedBeyond: 5, limit: 3) == 0)
      // The open one stays however old it is.
      #expect(try alerts.alerts(AlertSelection()).map(\.id) == [10, 9, 8, 7, 6, 5, 4])
      #expect(try alerts.history(1).isEmpty)
      #expect(try deliveries.remove(endedBeyond: 4, limit: 100) == 5)
      #expect(try deliveries.deliveries(DeliverySelection()).map(\.id) == [10, 9, 8, 7, 6])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `ended deliveries are removed unless their alert still exists`(
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
