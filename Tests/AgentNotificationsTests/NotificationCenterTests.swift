import AgentEvents
import AgentJSON
import AgentMetrics
import AgentQueries
import AgentSchedules
import AgentStore
import Synchronization
import Testing

@testable import AgentNotifications

/// From events to notices.
@Suite struct NotificationCenterTests {
  private func alert(
    _ source: String = "tide", _ severity: String = "warning", fields: JSONObject = [:]
  ) -> JSONObject {
    var event: JSONObject = [
      "type": "alert", "source": .string(source), "severity": .string(severity),
      "title": "High water", "text": "3.2 m", "state": "raised",
    ]
    for (key, value) in fields { event[key] = value }
    return event
  }

  /// Waits until everything that was published has been dealt with.
  private func settled(_ bus: EventBus) async throws {
    try await eventually { try await bus.consumers().allSatisfy { $0.behind == 0 } }
  }

  /// Without its consumer it would miss the alerts of what happens before it runs.
  @Test(arguments: [StoreError.Code.full, .group, .fault])
  func `a center that can't be prepared now says so, and is prepared again`(
    _ code: StoreError.Code
  ) async throws {
    let fixture = try CenterFixture()
    let store = try await SQLiteStore.open(
      SQLiteStoreConfiguration(path: "\(fixture.folder)/store.db"))
    let center = NotificationCenter(metrics: fixture.metrics, now: { 1 }) { _, message in
      fixture.logged.withLock { $0.append(message) }
    }
    center.apply(try .simple(RecordingNotifier()))
    let failing = DoubtfulStore(store)
    failing.fail(code) { _ in true }
    let error = await #expect(throws: StoreError.self) { try await center.prepare(failing) }
    #expect(error?.code == code && fixture.logged.withLock(\.self).isEmpty)
    failing.fail(.corrupt) { _ in true }
    try await center.prepare(failing)
    #expect(fixture.logged.withLock(\.self).count == 1)
    failing.fail { _ in false }
    try await center.prepare(failing)
    #expect(
      try await store.read { try $0.consumers.consumers().map(\.name) } == [
        NotificationCenter.consumer
      ])
    await store.close()
  }

  @Test func `an alert is opened by an event, counted by similar ones and ended by its end`()
    async throws
  {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(notifier)) { center, bus in
      _ = try await bus.store([alert(), alert("tide", "info")], source: "x")
      _ = try await bus.store([alert("wind")], source: "x")
      try await eventually { notifier.notices.count == 2 }
      #expect(notifier.notices.map(\.title) == ["High water", "High water"])
      #expect(notifier.notices[0].text == "3.2 m" && notifier.notices[0].severity == .warning)
      #expect(notifier.notices[0].object["event"]?["source"] == "tide")
      #expect(notifier.notices[0].object["agent"] == "shop")
      #expect(notifier.notices[0].id != notifier.notices[1].id)
      _ = try await bus.store(
        [alert("tide", "warning", fields: ["state": "resolved"])], source: "x")
      try await eventually { notifier.notices.count == 3 }
      #expect(notifier.notices[2].title == "Resolved: High water")
      let list = try await center.alerts(AlertSelection())
      let states = (list["alerts"]?.array ?? []).map { $0["state"]?.string }
      #expect(states == ["open", "resolved"])
      let first = try await center.alert(1)
      #expect(first["count"] == 2)
      let steps = (first["history"]?.array ?? []).compactMap { $0["what"]?.string }
      #expect(steps == ["opened", "notified", "resolved", "notified"])
      try await eventually {
        let deliveries = try await center.alert(1)["deliveries"]?.array ?? []
        return deliveries.count == 2 && deliveries.allSatisfy { $0["state"] == "delivered" }
      }
    }
  }

  @Test func `a severity is found, mapped and has a minimum`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    let plan = try NotificationPlan.simple(notifier, when: "log") { rule in
      rule.group = ["n"]
      rule.severity.field = "level"
      rule.severity.map = ["error": .critical, "debug": .info]
      rule.severity.least = .warning
    }
    try await fixture.run(plan) { center, bus in
      for (index, level) in ["debug", "error", "info", "odd", nil].enumerated() {
        var event: JSONObject = ["type": "log", "n": JSONValue(index)]
        event["level"] = level.map { .string($0) }
        _ = try await bus.store([event], source: "x")
      }
      try await eventually { notifier.notices.count == 3 }
      try await settled(bus)
      let severities = notifier.notices.sorted { "\($0.object)" < "\($1.object)" }
      #expect(Set(severities.map(\.severity)) == [.critical, .warning])
      let list = try await center.alerts(AlertSelection(severity: "critical"))
      #expect(list["alerts"]?.array?.count == 1)
    }
  }

  @Test func `another event ends an alert if the rule asks for it, whatever its type`() async throws
  {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    let plan = try NotificationPlan.simple(notifier, when: "down") { rule in
      rule.until = .events(try EventFilter(parsing: "up"))
      rule.group = ["type", "who"]
      rule.title = try MessageTemplate(parsing: "{who} of {process}: {nothing}")
      rule.text = try MessageTemplate(parsing: "{time} {error} {alert.severity} {n:.1}")
    }
    try await fixture.run(plan) { center, bus in
      _ = try await bus.store(
        [["type": "down", "who": "a", "timestamp": 0, "reason": "power", "n": 2]], source: "p")
      _ = try await bus.store([["type": "down", "who": "b"]], source: "p")
      // An alert that is over before its notice was sent is reported to nobody.
      try await eventually { notifier.notices.count == 2 }
      _ = try await bus.store([["type": "up", "who": "a"]], source: "p")
      try await eventually { notifier.notices.count == 3 }
      #expect(notifier.notices[0].title == "a of p: {nothing?}")
      #expect(notifier.notices[0].text == "1970-01-01 00:00:00 UTC power warning 2.0")
      #expect(notifier.notices[2].title == "Resolved: a of p: {nothing?}")
      #expect(try await center.alert(2)["state"] == "open")
    }
  }

  @Test func `an alert repeats by time, and people end it`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    let plan = try NotificationPlan.simple(notifier) { $0.repeatAfter = 60_000 }
    try await fixture.run(plan) { center, bus in
      _ = try await bus.store([alert()], source: "x")
      try await eventually { notifier.notices.count == 1 }
      try await fixture.letPass(60_000) { notifier.notices.count >= 3 }
      #expect(notifier.notices[2].title == "Still so: High water")
      let taken = try await center.acknowledge(1, by: "ada", note: "I look")
      #expect(taken["state"] == "acknowledged")
      #expect(taken["history"]?.array?.last?["note"] == "I look")
      func noticeSent(_ alert: JSONValue) -> Int {
        (alert["history"]?.array ?? []).count { $0["what"] == "notified" }
      }
      _ = try await bus.store([alert("other")], source: "x")
      try await fixture.letPass(600_000) {
        notifier.notices.contains { $0.object["alert"]?["id"] == 2 && $0.kind == "repeated" }
      }
      #expect(noticeSent(try await center.alert(1)) == noticeSent(taken))
      let ended = try await center.resolve(1, by: "ada", note: "")
      #expect(ended["state"] == "resolved" && ended["closed"] != nil)
      try await eventually { notifier.notices.contains { $0.kind == "resolved" } }
      await #expect { _ = try await center.resolve(1, by: "ada", note: "") } throws: {
        ($0 as? AlertError)?.code == .conflict
      }
      await #expect { _ = try await center.acknowledge(9, by: "ada", note: "") } throws: {
        ($0 as? AlertError)?.code == .missing
      }
    }
  }

  @Test func `quiet hours hold notices back until the morning`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    // The clock of the test begins at 00:16:40 UTC.
    let plan = try NotificationPlan.simple(notifier) { rule in
      rule.quietHours = QuietHours(
        fromMinute: 22 * 60, toMinute: 60, zone: .utc, except: .critical)
    }
    try await fixture.run(plan) { center, bus in
      _ = try await bus.store([alert("a"), alert("b"), alert("c", "critical")], source: "x")
      _ = try await bus.store([alert("b", "warning", fields: ["state": "resolved"])], source: "x")
      try await settled(bus)
      try await eventually { notifier.notices.count == 1 }
      #expect(notifier.notices[0].severity == .critical)
      fixture.clock.advance(by: 43 * 60_000)
      try await settled(bus)
      #expect(notifier.notices.count == 1)
      try await fixture.letPass(60_000) { notifier.notices.count == 2 }
      #expect(notifier.notices[1].object["event"]?["source"] == "a")
      #expect(try await center.alert(2)["state"] == "resolved")
    }
  }

  @Test func `a query opens one alert for each group of its rows`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    var plan = try NotificationPlan.simple(notifier)
    var rule = AlertRule(
      name: "q",
      when: .rows(
        try QueryPlan(Query(parsing: "reading => @filter value > 5"))))
    rule.notifiers = ["n"]
    rule.group = ["who"]
    plan.rules = [rule]
    try await fixture.run(plan) { center, bus in
      // The query has no consumer to wait for: what it sees first shows that it runs.
      try await eventually {
        _ = try await bus.store(
          [["type": "reading", "who": "first", "value": 9]], source: "x")
        return !notifier.notices.isEmpty
      }
      for (who, value) in [("a", 1), ("b", 7), ("b", 8)] {
        _ = try await bus.store(
          [["type": "reading", "who": .string(who), "value": JSONValue(value)]], source: "x")
      }
      try await eventually { notifier.notices.count == 2 }
      #expect(notifier.notices[1].object["event"]?["who"] == "b")
      try await eventually { try await center.alert(2)["count"] == 2 }
    }
  }

  @Test func `a rule with too many alerts opens no more and reports it`() async throws {
    let fixture = try CenterFixture()
    let notifier = RecordingNotifier()
    let plan = try NotificationPlan.simple(notifier) { rule in
      rule.group = ["n"]
      rule.groupWait = 1_000_000
    }
    try await fixture.run(plan) { center, bus in
      let events = (0..<AlertProcessor.maxOfARule + 5).map { number -> JSONObject in
        ["type": "alert", "n": JSONValue(number)]
      }
      _ = try await bus.store(events, source: "x")
      try await settled(bus)
      try await eventually {
        fixture.logged.withLock { $0.contains { $0.contains("The rule r has 1000 open alerts") } }
      }
      let page = await fixture.metrics.page()
      let family = try #require(page["bulkhead_alerts"])
      let open = family.samples.first { $0.labels["state"] == "open" }
      #expect(open?.value == .number(1000))
    }
  }
}
