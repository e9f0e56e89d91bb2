import AgentEvents
import AgentJSON
import AgentMetrics
import AgentStore
import Testing

@testable import AgentNotifications

/// Notices on their way: attempts, limits, restarts.
@Suite struct DeliveryTests {
  private func publish(_ count: Int, on bus: EventBus) async throws {
    let events = (0..<count).map { number -> JSONObject in
      ["type": "alert", "key": JSONValue(number), "text": "x"]
    }
    _ = try await bus.store(events, source: "s")
  }

  private func deliveries(
    _ center: NotificationCenter, _ state: DeliveryRow.State? = nil
  ) async throws -> [JSONValue] {
    try await center.deliveries(DeliverySelection(state: state))["deliveries"]?.array ?? []
  }

  @Test func `a failed delivery is retried with the same id until it works`() async throws {
    let notifier = RecordingNotifier(failing: [.init("one"), .init("two")])
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(notifier)) { center, bus in
      try await publish(1, on: bus)
      try await eventually { try await deliveries(center, .failed).count == 1 }
      #expect(try await deliveries(center)[0]["error"] == "one")
      try await fixture.letPass(5_000) { notifier.notices.count > 1 }
      try await fixture.letPass(10_000) {
        try await deliveries(center, .delivered).count == 1
      }
      let row = try await deliveries(center)[0]
      #expect(row["attempts"] == 3 && row["error"] == nil && row["next"] == nil)
      #expect(Set(notifier.notices.map(\.id)).count == 1)
    }
  }

  @Test func `an event of the greatest depth is delivered with its title and its content`()
    async throws
  {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    // 63 arrays in an object: as deep as a text may be that comes from outside.
    let deep = (0..<62).reduce(JSONValue.array([])) { inner, _ in .array([inner]) }
    try await fixture.run(try .simple(notifier)) { center, bus in
      let event: JSONObject = ["type": "alert", "key": 1, "text": "x", "deep": deep]
      _ = try await bus.store([event], source: "s")
      try await eventually { try await deliveries(center, .delivered).count == 1 }
      let notice = try #require(notifier.notices.first)
      #expect(!notice.id.isEmpty && !notice.title.isEmpty)
      #expect(notice.object["event"]?["deep"] == deep)
      #expect(try await deliveries(center)[0]["title"]?.string == notice.title)
    }
  }

  @Test func `a delivery that can't succeed is given up, and retried on request`() async throws {
    let notifier = RecordingNotifier(failing: [.init("gone", isFinal: true)])
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(notifier)) { center, bus in
      try await publish(1, on: bus)
      try await eventually { try await deliveries(center, .givenUp).count == 1 }
      _ = try await center.retry(1)
      try await eventually { try await deliveries(center, .delivered).count == 1 }
      await #expect { _ = try await center.retry(1) } throws: {
        ($0 as? AlertError)?.code == .conflict
      }
      await #expect { _ = try await center.retry(7) } throws: {
        ($0 as? AlertError)?.code == .missing
      }
      let page = await fixture.metrics.page()
      let outcomes = page["bulkhead_notification_attempts_total"]?.samples ?? []
      #expect(Set(outcomes.compactMap { $0.labels["outcome"] }) == ["given_up", "delivered"])
    }
  }

  @Test func `a notifier that hangs delays only itself, up to its time-out`() async throws {
    let (stuck, quick) = (RecordingNotifier(stuck: true), RecordingNotifier())
    let fixture = try CenterFixture()
    var plan = try NotificationPlan.simple(stuck) { $0.notifiers = ["n", "quick"] }
    plan.notifiers["n"]?.concurrency = 2
    plan.notifiers["quick"] = NotifierEntry(type: "test", notifier: quick)
    try await fixture.run(plan) { center, bus in
      try await publish(5, on: bus)
      try await eventually { quick.notices.count == 5 }
      try await eventually { try await deliveries(center, .sending).count == 2 }
      #expect(stuck.notices.count == 2)
      try await fixture.letPass(10_000) {
        let errors = try await deliveries(center).compactMap { $0["error"]?.string }
        return errors.count { $0 == "It took longer than 10000 ms." } >= 2
      }
    }
  }

  @Test func `a delivery that the host's end interrupts is sent again with the same id`()
    async throws
  {
    let (stuck, next) = (RecordingNotifier(stuck: true), RecordingNotifier())
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(stuck)) { center, bus in
      try await publish(1, on: bus)
      try await eventually { stuck.notices.count == 1 }
    }
    try await fixture.run(try .simple(next)) { center, bus in
      try await eventually { next.notices.count == 1 }
      #expect(next.notices[0].id == stuck.notices[0].id)
      try await eventually { try await deliveries(center, .delivered).count == 1 }
    }
  }

  @Test func `an event published while nobody watched is handled later, once`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(notifier)) { _, _ in }
    let store = try await SQLiteStore.open(
      SQLiteStoreConfiguration(path: "\(fixture.folder)/store.db"))
    let bus = EventBus(awaitsLog: true, now: { 5 })
    try await bus.open(store)
    try await publish(20, on: bus)
    await store.close()
    for _ in 0..<2 {
      try await fixture.run(try .simple(notifier)) { center, bus in
        try await eventually { try await deliveries(center, .delivered).count == 20 }
      }
    }
    #expect(notifier.notices.count == 20)
  }

  @Test func `a notifier is tested once, and the result is reported`() async throws {
    let notifier = RecordingNotifier(failing: [.init("no such room")])
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(notifier)) { center, bus in
      let failed = try await center.test(notifier: "n", by: "ada")
      #expect(failed["state"] == "given_up" && failed["error"] == "no such room")
      let worked = try await center.test(notifier: "n", by: "ada")
      #expect(worked["state"] == "delivered" && worked["kind"] == "test")
      #expect(notifier.notices[1].text == "ada tests the notifier n.")
      await #expect { _ = try await center.test(notifier: "x", by: "ada") } throws: {
        ($0 as? AlertError)?.message.contains("There are: n.") == true
      }
      let list = try await center.notifiers()["notifiers"]?.array
      #expect(list?.first?["deliveries"]?["delivered"] == 1 && list?.first?["rules"] == ["r"])
    }
  }

  @Test func `an alert that has been over for long is removed`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(notifier)) { center, bus in
      try await publish(3, on: bus)
      try await eventually { try await deliveries(center, .delivered).count == 3 }
      for id in 1...2 { _ = try await center.resolve(Int64(id), by: "ada", note: "") }
      try await eventually { try await deliveries(center, .delivered).count == 5 }
      try await fixture.letPass(91 * 86_400_000) {
        try await center.alerts(AlertSelection())["alerts"]?.array?.count == 1
      }
      try await eventually { try await deliveries(center).count < 5 }
    }
  }

  @Test func `a clock that has jumped removes nothing for an hour`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(notifier)) { center, bus in
      try await publish(2, on: bus)
      try await eventually { try await deliveries(center, .delivered).count == 2 }
      for id in 1...2 { _ = try await center.resolve(Int64(id), by: "ada", note: "") }
      try await eventually { try await deliveries(center, .delivered).count == 4 }
      fixture.clock.jump(by: 400 * 86_400_000)
      // Five looks, within an hour.
      for _ in 0..<5 {
        fixture.clock.advance(by: 600_000)
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(try await center.alerts(AlertSelection())["alerts"]?.array?.count == 2)
      try await fixture.letPass(600_000) {
        try await center.alerts(AlertSelection())["alerts"]?.array?.count == 1
      }
    }
  }

  @Test(arguments: [3_600_000, 315_360_000_000] as [Int64])
  func `a retry or a repetition isn't late when the clock is set back`(_ jump: Int64)
    async throws
  {
    let notifier = RecordingNotifier(failing: [DeliveryFailure("down")])
    let fixture = try CenterFixture()
    fixture.clock.jump(by: jump)
    var plan = try NotificationPlan.simple(notifier) { $0.repeatAfter = 600_000 }
    plan.notifiers["n"]?.initialBackoff = 300_000
    plan.notifiers["n"]?.maxBackoff = 300_000
    try await fixture.run(plan) { center, bus in
      try await publish(1, on: bus)
      try await eventually { try await deliveries(center, .failed).count == 1 }
      fixture.clock.jump(by: -jump)
      // It is noticed within a minute. In short steps: the clock must not outrun what is delivered.
      try await fixture.letPass(10_000) { try await deliveries(center, .delivered).count >= 1 }
      try await fixture.letPass(10_000) { notifier.notices.count >= 3 }
      #expect(fixture.clock.now < 1_000_000 + jump)
    }
  }

  @Test func `a host that starts with a wrong clock removes nothing`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    let plan = try NotificationPlan.simple(notifier)
    try await fixture.run(plan) { center, bus in
      try await publish(2, on: bus)
      try await eventually { try await deliveries(center, .delivered).count == 2 }
      for id in 1...2 { _ = try await center.resolve(Int64(id), by: "ada", note: "") }
      try await eventually { try await deliveries(center, .delivered).count == 4 }
    }
    fixture.clock.jump(by: 400 * 86_400_000)
    try await fixture.run(plan) { center, _ in
      try await eventually { fixture.clock.hasSleeper(of: 600_000) }
      #expect(try await center.alerts(AlertSelection())["alerts"]?.array?.count == 2)
      #expect(try await deliveries(center).count == 4)
    }
  }

  @Test
  func `a failing notifier gets no repetitions and is reported as failing`() async throws {
    let down = DeliveryFailure("down")
    let notifier = RecordingNotifier(failing: Array(repeating: down, count: 3))
    let fixture = try CenterFixture()
    var plan = try NotificationPlan.simple(notifier) { $0.repeatAfter = 1_000 }
    plan.notifiers["n"]?.initialBackoff = 60_000
    plan.notifiers["n"]?.maxBackoff = 60_000
    try await fixture.run(plan) { center, bus in
      try await publish(1, on: bus)
      try await eventually { try await deliveries(center, .failed).count == 1 }
      try await eventually { center.troubles.map(\.error) == ["down"] }
      try await fixture.letPass(1_000) { notifier.notices.count == 3 }
      try await eventually { try await deliveries(center, .failed).count == 1 }
      #expect(try await deliveries(center).count == 1)
      // Once it has sent the first notice, it sends another one that it is still open.
      try await fixture.letPass(1_000) { notifier.notices.contains { $0.kind == "repeated" } }
      try await eventually { center.troubles.isEmpty }
    }
  }

  @Test func `a delivery to a removed notifier fails with the reason`() async throws {
    let fixture = try CenterFixture()
    let plan = try NotificationPlan.simple(RecordingNotifier()) { $0.notifiers = ["gone"] }
    try await fixture.run(plan) { center, bus in
      try await publish(1, on: bus)
      try await eventually { try await deliveries(center, .failed).count == 1 }
      #expect(
        try await deliveries(center)[0]["error"]
          == "There is no notifier \"gone\" in the settings any more.")
    }
  }
}
