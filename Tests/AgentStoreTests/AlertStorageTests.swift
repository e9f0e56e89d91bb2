import AgentStore
import Testing

/// Alerts and their history.
@Suite struct AlertStorageTests {
  private func alert(
    _ key: String, rule: String = "r", topic: String = "t", due: Int64? = nil
  ) -> AlertRow {
    AlertRow(
      rule: rule, key: key, topic: topic, severity: "warning", title: "T \(key)", text: "x",
      count: 1, event: Array("{}".utf8), opened: 10, updated: 10,
      pending: due == nil ? nil : "opened", due: due)
  }

  private static func unknown(_ row: AlertRow) -> AlertRow {
    var row = row
    row.id = 99
    return row
  }

  @Test(arguments: Implementation.allCases)
  func `positions of rules are kept by rule and trigger, each in place of the one before`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    var position = RulePositionRow(rule: "r", trigger: "when", query: "a", mark: "p1")
    let other = RulePositionRow(
      rule: "r", trigger: "until", query: "b", mark: "t1", partial: "t2", taken: [1, 2],
      revision: 7)
    try await test.store.write { [position] transaction throws in
      #expect(try transaction.alerts.rulePosition("r", trigger: "when") == nil)
      try transaction.alerts.set(position)
      try transaction.alerts.set(other)
    }
    (position.mark, position.revision) = (nil, 2)
    try await test.store.write { [position] in try $0.alerts.set(position) }
    test = try await test.reopened(implementation)
    try await test.store.write { [position] transaction throws in
      #expect(try transaction.alerts.rulePosition("r", trigger: "when") == position)
      #expect(try transaction.alerts.rulePositions() == [other, position])
      try transaction.alerts.removeRulePosition("r", trigger: "until")
      #expect(try transaction.alerts.rulePositions() == [position])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an alert is stored completely, and its key is unique until it is over`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    let first = try await test.store.write { [self] transaction throws in
      let alerts = transaction.alerts
      var row = alert("a")
      row.id = try alerts.insert(row)
      #expect { _ = try alerts.insert(alert("a")) } throws: {
        ($0 as? StoreError)?.code == .conflict
      }
      #expect(try alerts.insert(alert("a", rule: "other")) == row.id + 1)
      row.state = .acknowledged
      row.severity = "critical"
      row.title = "t"
      row.text = "y"
      row.count = 2
      row.event = Array("{1}".utf8)
      row.updated = 20
      row.notified = 15
      (row.pending, row.due) = ("repeated", 30)
      try alerts.update(row)
      let missing = Self.unknown(row)
      #expect { try alerts.update(missing) } throws: {
        ($0 as? StoreError)?.code == .missing
      }
      return row
    }
    test = try await test.reopened(implementation)
    try await test.store.write { [self] transaction throws in
      let alerts = transaction.alerts
      #expect(try alerts.alert(first.id) == first)
      #expect(try alerts.alert(77) == nil)
      #expect(try alerts.current(rule: "r", key: "a") == first)
      #expect(try alerts.current(rule: "r", topic: "t") == [first])
      var closed = first
      closed.state = .resolved
      closed.closed = 40
      closed.pending = nil
      closed.due = nil
      try alerts.update(closed)
      #expect(try alerts.current(rule: "r", key: "a") == nil)
      #expect(try alerts.current(rule: "r", topic: "t") == [])
      _ = try alerts.insert(alert("a"))
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `alerts are selected, paged and counted`(_ implementation: Implementation) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      for index in 0..<5 {
        var row = alert("k\(index)", rule: index < 3 ? "r" : "s")
        if index == 1 { (row.state, row.closed) = (.resolved, 5) }
        if index == 2 { row.severity = "critical" }
        _ = try transaction.alerts.insert(row)
      }
    }
    func keys(_ selection: AlertSelection) async throws -> [String] {
      try await test.store.read { try $0.alerts.alerts(selection).map(\.key) }
    }
    #expect(try await keys(AlertSelection()) == ["k4", "k3", "k2", "k1", "k0"])
    #expect(try await keys(AlertSelection(limit: 2)) == ["k4", "k3"])
    #expect(try await keys(AlertSelection(before: 4, limit: 2)) == ["k2", "k1"])
    #expect(try await keys(AlertSelection(state: .resolved)) == ["k1"])
    #expect(try await keys(AlertSelection(severity: "critical")) == ["k2"])
    #expect(try await keys(AlertSelection(rule: "s")) == ["k4", "k3"])
    #expect(try await keys(AlertSelection(isCurrent: true)) == ["k4", "k3", "k2", "k0"])
    #expect(try await keys(AlertSelection(limit: 0)) == [])
    try await test.store.read { snapshot throws in
      #expect(try snapshot.alerts.alertCounts() == [.open: 4, .resolved: 1])
      #expect(try snapshot.alerts.countCurrent(rule: "r", most: 100) == 2)
      #expect(try snapshot.alerts.countCurrent(rule: "s", most: 1) == 1)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `due alerts come in order of time`(_ implementation: Implementation) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let alerts = transaction.alerts
      #expect(try alerts.nextDue() == nil)
      for (key, due) in [("a", 30), ("b", 10), ("c", 20), ("d", nil)] as [(String, Int64?)] {
        _ = try alerts.insert(alert(key, due: due))
      }
      #expect(try alerts.nextDue() == 10)
      #expect(try alerts.due(by: 20, limit: 10).map(\.key) == ["b", "c"])
      #expect(try alerts.due(by: 100, limit: 2).map(\.key) == ["b", "c"])
      #expect(try alerts.due(by: 9, limit: 2) == [])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an alert's history is removed with it after a long time`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let alerts = transaction.alerts
      for (key, closed) in [("a", 10), ("b", 20), ("c", nil)] as [(String, Int64?)] {
        var row = alert(key)
        (row.state, row.closed) = (closed == nil ? .open : .resolved, closed)
        let id = try alerts.insert(row)
        for what in ["opened", "notified"] {
          try alerts.append(
            AlertStep(alert: id, timestamp: 1, what: what, actor: "ada", note: key))
        }
      }
      let steps = try alerts.history(1)
      #expect(steps.map(\.what) == ["opened", "notified"])
      #expect(
        steps.last
          == AlertStep(
            alert: 1, timestamp: 1, what: "notified", actor: "ada", note: "a"))
      #expect(try alerts.remove(closedBefore: 20, limit: 10) == 1)
      #expect(try alerts.history(1) == [] && alerts.history(2).count == 2)
      #expect(try alerts.remove(closedBefore: 100, limit: 10) == 1)
      #expect(try alerts.alerts(AlertSelection()).map(\.key) == ["c"])
      #expect(try alerts.insert(alert("d")) == 4)
    }
    await test.store.close()
  }
}
