import AgentEvents
import AgentJSON
import AgentMetrics
import AgentStore
import Synchronization
import Testing

@testable import AgentNotifications

/// In which order notices arrive, and what becomes of those that are no news any more.
@Suite struct DeliveryOrderTests {
  private func publish(_ key: String, _ state: String? = nil, on bus: EventBus) async throws {
    var event: JSONObject = ["type": "alert", "key": .string(key), "text": "x"]
    event["state"] = state.map { .string($0) }
    _ = try await bus.store([event], source: "s")
  }

  private func deliveries(
    _ center: NotificationCenter, _ state: DeliveryRow.State? = nil
  ) async throws -> [JSONValue] {
    try await center.deliveries(DeliverySelection(state: state))["deliveries"]?.array ?? []
  }

  @Test
  func `a refused delivery isn't retried once its alert is over, and the resolution comes last`()
    async throws
  {
    let notifier = RecordingNotifier(failing: [.init("busy")])
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(notifier)) { center, bus in
      try await publish("a", on: bus)
      try await eventually { try await deliveries(center, .failed).count == 1 }
      try await publish("a", "resolved", on: bus)
      try await eventually { try await deliveries(center, .delivered).count == 1 }
      #expect(notifier.notices.map(\.kind) == ["opened", "resolved"])
      let given = try await deliveries(center, .givenUp)
      #expect(given.first?["kind"] == "opened")
      #expect(given.first?["error"] == "The alert was over before it could be delivered.")
      // Nobody brings it back past a later notice.
      await #expect { _ = try await center.retry(1) } throws: {
        ($0 as? AlertError)?.code == .conflict
      }
    }
  }

  @Test func `an alert that is over before its delivery starts is sent to nobody`() async throws {
    let stuck = RecordingNotifier(stuck: true)
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(stuck)) { center, bus in
      // One place, which the first takes.
      try await publish("first", on: bus)
      try await eventually { stuck.notices.count == 1 }
      try await publish("a", on: bus)
      try await publish("a", "resolved", on: bus)
      try await eventually { try await deliveries(center, .givenUp).count == 1 }
      #expect(try await deliveries(center).count == 2)
    }
  }

  @Test func `a resolution waits for the delivery in progress`() async throws {
    let held = HeldNotifier()
    let fixture = try CenterFixture()
    var plan = try NotificationPlan.simple(held)
    plan.notifiers["n"]?.concurrency = 4
    try await fixture.run(plan) { center, bus in
      try await publish("a", on: bus)
      try await eventually { held.kinds == ["opened"] }
      try await publish("a", "resolved", on: bus)
      try await publish("b", on: bus)
      // Another alert isn't held up.
      try await eventually { held.kinds.count == 2 }
      #expect(held.kinds == ["opened", "opened"])
      held.release()
      try await eventually { try await deliveries(center, .delivered).count == 3 }
      #expect(held.kinds.last == "resolved")
    }
  }

  @Test func `a claim whose write failed although it was stored is made again`() async throws {
    let notifier = RecordingNotifier()
    let doubtful = Mutex<DoubtfulStore?>(nil)
    let fixture = try CenterFixture { store in
      let wrapped = DoubtfulStore(store)
      doubtful.withLock { $0 = wrapped }
      return wrapped
    }
    try await fixture.run(try .simple(notifier)) { center, bus in
      let left = FailureCount(3)
      // The event goes into the log past the wrapper: among the next writes through it is the claim.
      doubtful.withLock { $0 }?.fail { $0 == .savepoint && left.takeOne() }
      try await publish("a", on: bus)
      try await fixture.letPass(5_000) { notifier.notices.count == 1 }
      try await eventually { try await deliveries(center, .delivered).count == 1 }
      #expect(!left.takeOne())
    }
  }

  @Test func `a test that the host's end interrupts isn't sent again`() async throws {
    let (stuck, next) = (RecordingNotifier(stuck: true), RecordingNotifier())
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(stuck)) { center, _ in
      let trying = Task { try await center.test(notifier: "n", by: "ada") }
      try await eventually { stuck.notices.count == 1 }
      // As far as the database knows it is still being sent when the host ends.
      #expect(try await deliveries(center, .sending).count == 1)
      trying.cancel()
    }
    let store = try await SQLiteStore.open(
      SQLiteStoreConfiguration(path: "\(fixture.folder)/store.db"))
    try await store.write { transaction in
      var row = try #require(try transaction.deliveries.delivery(1))
      row.state = .sending
      try transaction.deliveries.update(row)
    }
    await store.close()
    try await fixture.run(try .simple(next)) { center, bus in
      try await publish("a", on: bus)
      try await eventually { next.notices.count == 1 }
      #expect(next.notices[0].kind == "opened")
      #expect(try await deliveries(center, .givenUp).count == 1)
    }
  }

  @Test func `a large event is cut to the permitted size, kept and sent`() async throws {
    let notifier = RecordingNotifier()
    let fixture = try CenterFixture()
    try await fixture.run(try .simple(notifier)) { center, bus in
      let event: JSONObject = [
        "type": "alert", "key": "a", "title": .string(String(repeating: "é", count: 5_000)),
        "text": .string(String(repeating: "x", count: 500_000)),
        "list": .array(Array(repeating: "y", count: 100_000)), "n": 7,
      ]
      _ = try await bus.store([event], source: "s")
      try await eventually { notifier.notices.count == 1 }
      let notice = notifier.notices[0]
      #expect(notice.title.utf8.count <= AlertExcerpt.maxTextBytes)
      #expect(notice.text.utf8.count <= AlertExcerpt.maxTextBytes)
      #expect(notice.object["event"]?["n"] == 7 && notice.object["event"]?["list"] == nil)
      #expect(JSONValue.object(notice.object).bytes().count < 4 * AlertExcerpt.maxBytes)
    }
  }
}

/// How many failures are still to come.
final class FailureCount: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  func takeOne() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}

/// Holds each value until the test releases it.
final class HeldNotifier: Notifier {
  private let state = Mutex<(kinds: [String], waiting: [CheckedContinuation<Void, Never>]?)>(
    ([], []))

  /// The kinds of the notices that it was given, in order.
  var kinds: [String] { state.withLock { $0.kinds } }

  func release() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  func deliver(_ notice: Notice) async throws {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        state.kinds.append(notice.kind)
        guard state.waiting != nil else { return true }
        state.waiting?.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }
}
