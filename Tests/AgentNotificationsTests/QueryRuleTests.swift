import AgentEvents
import AgentJSON
import AgentQueries
import AgentStore
import Synchronization
import Testing

@testable import AgentNotifications

/// Rules whose alerts come of the rows of a query: none is missed and none counts twice over
/// restarts, changes of the settings and writes in doubt.
@Suite struct QueryRuleTests {
  private static let window =
    "reading => count() as n by who every 10 seconds over last 20 seconds => @filter n > 1"

  private func plan(
    _ notifier: any Notifier, when query: String = window, until: String? = nil
  ) throws -> NotificationPlan {
    var plan = try NotificationPlan.simple(notifier)
    var rule = AlertRule(name: "q", when: .rows(try QueryPlan(Query(parsing: query))))
    if let until { rule.until = .rows(try QueryPlan(Query(parsing: until))) }
    rule.notifiers = ["n"]
    rule.group = ["who"]
    plan.rules = [rule]
    return plan
  }

  private func reading(_ who: String = "a", value: Int = 9) -> JSONObject {
    ["type": "reading", "who": .string(who), "value": JSONValue(value)]
  }

  /// Each alert as `who`, its count and its state, the oldest first.
  private func alerts(_ center: NotificationCenter) async throws -> [String] {
    var found: [String] = []
    for item in try await center.alerts(AlertSelection())["alerts"]?.array ?? [] {
      guard let id = item["id"]?.int else { continue }
      let alert = try await center.alert(Int64(id))
      found.append(
        "\(alert["event"]?["who"]?.string ?? "") \(alert["count"]?.int ?? 0) "
          + (alert["state"]?.string ?? ""))
    }
    return found.reversed()
  }

  @Test func `a window that a restart cuts in two raises its alert once`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    let plan = try plan(notifier)
    try await fixture.run(plan) { _, bus in
      _ = try await bus.store([reading()], source: "x")
    }
    fixture.clock.advance(by: 1_000)
    try await fixture.store([reading()])
    fixture.clock.advance(by: 5_000)
    try await fixture.run(plan) { center, _ in
      try await fixture.letPass(1_000) { try await !alerts(center).isEmpty }
    }
    // The output of the next moment has both readings, too. It is the last one.
    try await fixture.run(plan) { center, _ in
      let end = fixture.clock.now + 60_000
      try await fixture.letPass(1_000) { fixture.clock.now > end }
      #expect(try await alerts(center) == ["a 2 open"])
    }
    // One that was being sent when the host ended is sent again, with the same id.
    #expect(Set(notifier.notices.map(\.id)).count == 1)
    #expect(notifier.notices.allSatisfy { $0.kind == "opened" })
  }

  @Test(arguments: [3_600_000, -3_600_000, -300, 28_800_000, 315_360_000_000] as [Int64])
  func `a rule with a window raises its alert after the clock is set, once`(
    _ jump: Int64
  ) async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    try await fixture.run(try plan(notifier)) { center, bus in
      _ = try await bus.store([reading()], source: "x")
      fixture.clock.jump(by: jump)
      // The query sees the new time before it sees what comes then.
      var looks = 0
      try await fixture.letPass(1_000) {
        looks += 1
        return looks > 25
      }
      _ = try await bus.store([reading("b"), reading("b")], source: "x")
      try await fixture.letPass(1_000) { try await alerts(center).contains("b 2 open") }
      // Once for a window that is output twice, too.
      let end = fixture.clock.now + 60_000
      try await fixture.letPass(1_000) { fixture.clock.now > end }
      #expect(try await alerts(center).count { $0.hasPrefix("b ") } == 1)
    }
    #expect(Set(notifier.notices.map(\.id)).count == notifier.notices.count)
  }

  @Test func `an event of 2036 neither raises the alert of a window nor delays it`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    try await fixture.run(try plan(notifier)) { center, bus in
      var late = reading("later")
      late["timestamp"] = JSONValue(2_082_758_400_000)
      _ = try await bus.store([late, late, reading(), reading()], source: "x")
      try await fixture.letPass(1_000) { try await alerts(center).contains("a 2 open") }
      #expect(try await alerts(center).count == 1)
    }
  }

  @Test func `a changed plan neither misses nor repeats the rows of a window`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    var plan = try plan(notifier)
    try await fixture.run(plan) { center, bus in
      _ = try await bus.store([reading()], source: "x")
      fixture.clock.advance(by: 2_000)
      plan.rules[0].severity.fallback = .critical
      center.apply(plan)
      _ = try await bus.store([reading()], source: "x")
      try await fixture.letPass(1_000) { try await !alerts(center).isEmpty }
      plan.rules[0].severity.fallback = .warning
      center.apply(plan)
      let end = fixture.clock.now + 60_000
      try await fixture.letPass(1_000) { fixture.clock.now > end }
      #expect(try await alerts(center) == ["a 2 open"])
    }
  }

  @Test func `rows of events that came while the host was down open and end alerts`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    let plan = try plan(
      notifier, when: "reading => @filter value > 5", until: "reading => @filter value < 2")
    try await fixture.run(plan) { _, _ in }
    try await fixture.store([reading("a"), reading("b"), reading("b")])
    try await fixture.run(plan) { center, _ in
      try await eventually { try await alerts(center) == ["a 1 open", "b 2 open"] }
    }
    try await fixture.store([reading("a", value: 1)])
    for _ in 0..<2 {
      try await fixture.run(plan) { center, bus in
        try await eventually { try await alerts(center) == ["a 1 resolved", "b 2 open"] }
      }
    }
  }

  @Test func `a query with another text begins now`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    try await fixture.run(try plan(notifier, when: "reading => @filter value > 5")) { _, _ in }
    try await fixture.store([reading("a")])
    let changed = try plan(notifier, when: "reading => @filter value > 6")
    try await fixture.run(changed) { center, bus in
      _ = try await bus.store([reading("b")], source: "x")
      try await eventually { try await alerts(center) == ["b 1 open"] }
    }
    // A rule that was removed meanwhile begins anew, too.
    try await fixture.run(try .simple(notifier)) { _, _ in
      try await eventually { try await fixture.positions().isEmpty }
    }
    try await fixture.store([reading("c")])
    try await fixture.run(changed) { center, bus in
      _ = try await bus.store([reading("d")], source: "x")
      try await eventually { try await alerts(center) == ["b 1 open", "d 1 open"] }
    }
  }

  @Test func `rows count once when their write reports a fault and is stored`() async throws {
    let notifier = RecordingNotifier()
    let fails = Mutex(false)
    let fixture = try CenterFixture { store in
      let doubtful = DoubtfulStore(store)
      doubtful.fail { _ in
        fails.withLock { fails in
          defer { fails = false }
          return fails
        }
      }
      return doubtful
    }
    try await fixture.run(try plan(notifier, when: "reading => @filter value > 5")) { center, bus in
      _ = try await bus.store([reading()], source: "x")
      try await eventually { notifier.notices.count == 1 }
      try await eventually {
        try await center.alert(1)["deliveries"]?.array?.first?["state"] == "delivered"
      }
      fails.withLock { $0 = true }
      _ = try await bus.store([reading()], source: "x")
      try await fixture.letPass(1_000) { fails.withLock { !$0 } }
      _ = try await bus.store([reading("b")], source: "x")
      try await fixture.letPass(1_000) { try await alerts(center).count == 2 }
      #expect(try await alerts(center) == ["a 2 open", "b 1 open"])
    }
  }

  @Test func `rows of one moment are taken once each, in whatever order they come again`() throws {
    var position = RulePosition(RulePositionRow(rule: "q", trigger: "when", query: "x"))
    func take(_ who: String, at moment: Int64) throws -> Int {
      position.take(try Self.batch(who, at: moment)) { $0["who"]?.string ?? "" }.count
    }
    position.reach(.moment(500))
    #expect(try take("a", at: 1_000) == 1)
    #expect(try take("b", at: 1_000) == 1)
    #expect(position.row.mark == "t500" && position.row.partial == "t1000")
    // The next run resumes before the moment, and says so first.
    position = RulePosition(position.row)
    position.reach(.moment(500))
    #expect(try take("c", at: 1_000) == 1)
    #expect(try take("b", at: 1_000) == 0)
    #expect(try take("b", at: 1_000) == 1)
    #expect(try take("a", at: 1_000) == 0)
    #expect(try take("a", at: 2_000) == 1)
    #expect(position.row.mark == "t1000" && position.row.partial == "t2000")
    position.reach(.moment(3_000))
    #expect(position.row.partial == nil && position.row.taken.isEmpty)
  }

  /// A batch as a query that resumes makes it.
  private static func batch(_ who: String, at moment: Int64) throws -> QueryBatch {
    let query = RunningQuery(
      try QueryPlan(Query(parsing: "reading => last(who) as who every 1 second")),
      timing: QueryTiming(lateness: 0),
      continuation: .outputs(rows: moment - 1_000, outputs: moment - 1_000, silent: 0))
    _ = query.start(at: moment - 500)
    _ = query.take(["type": "reading", "who": .string(who)], at: moment - 500)
    _ = query.endHistory(at: moment - 500)
    let batches = query.advance(to: moment).compactMap { message -> QueryBatch? in
      if case .event(let batch) = message { batch } else { nil }
    }
    return try #require(batches.last)
  }

  @Test func `a query that exceeds its memory is reported, and its rule lives again`() async throws
  {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture(queryTiming: QueryTiming(bytes: 50_000))
    let plan = try plan(
      notifier, when: "reading => list(text) as texts by who every 10 seconds over last 60 seconds")
    try await fixture.run(plan) { center, bus in
      let long = String(repeating: "x", count: 1_000)
      // They differ, so that no two share their memory.
      let events = (0..<200).map { number in
        var event = reading()
        event["text"] = .string("\(number) \(long)")
        return event
      }
      _ = try await bus.store(events, source: "x")
      try await fixture.letPass(1_000) { !center.queryTroubles.isEmpty }
      #expect(center.queryTroubles.map(\.rule) == ["q"])
      let logged = fixture.logged.withLock { $0 }
      #expect(logged.contains { $0.contains("The query of the rule q: The query holds more than") })
      #expect(logged.contains { $0.contains("The query of the rule q has failed. It holds more") })
      // What was too much leaves the window.
      try await fixture.letPass(10_000) { center.queryTroubles.isEmpty }
      _ = try await bus.store([reading("b")], source: "x")
      try await fixture.letPass(1_000) {
        try await alerts(center).contains { $0.hasPrefix("b ") }
      }
    }
  }
}

extension CenterFixture {
  /// What is stored of how far queries have come.
  func positions() async throws -> [RulePositionRow] {
    try await opened.withLock { $0 }?.read { try $0.alerts.rulePositions() } ?? []
  }
}
