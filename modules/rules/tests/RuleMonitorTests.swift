import AgentKit
import AgentKitTesting
import Testing

@testable import RulesModule

@Suite struct RuleMonitorTests {
  private let host = TestHost(process: "watch")

  private func monitor(_ settings: JSONObject) throws -> RuleMonitor {
    RuleMonitor(
      settings: try JSONValue.object(settings).decode(RuleProcessSettings.self), host: host.host)
  }

  private static let busy: JSONObject = [
    "name": "busy", "query": "trade => count() by pair every minute -- often",
    "condition": "count > 100", "by": ["pair"], "title": "{pair} is busy",
    "message": "{count} trades of {pair}.", "severity": "critical", "cooldown_seconds": 60,
    "resolve": true, "output": ["author": "Rules", "room": "ops"],
  ]

  private func give(_ pair: String, _ count: Int, at time: Int) {
    host.give([
      "timestamp": JSONValue(time), "pair": .string(pair), "count": JSONValue(count),
      "__holds": .bool(count > 100),
    ])
  }

  @Test func `rows that meet the condition raise alerts, and their end resolves them`() async throws
  {
    let monitor = try monitor(Self.busy)
    async let events = host.run(monitor, untilPublished: 8)
    #expect(
      await host.queried().map(\.text)
        == ["trade => count() by pair every minute -- often\n=> @set (\ncount > 100\n) as __holds"])
    #expect(host.queries.map(\.span) == ["now"])
    for example in [
      (pair: "BTC", count: 120, time: 1_000), (pair: "ETH", count: 3, time: 1_000),
      (pair: "ETH", count: 101, time: 2_000), (pair: "BTC", count: 130, time: 31_000),
      (pair: "BTC", count: 140, time: 61_000), (pair: "BTC", count: 7, time: 91_000),
    ] { give(example.pair, example.count, at: example.time) }
    let alerts = try await events.filter { $0.type == "alert" }
    #expect(
      alerts.map { $0["text"] } == [
        "120 trades of BTC.", "101 trades of ETH.",
        "140 trades of BTC. (1 more since the last time.)",
        "Over after 1 min 30 s: 140 trades of BTC.",
      ])
    #expect(alerts.map { $0["state"] } == ["raised", "raised", "raised", "resolved"])
    #expect(alerts.map { $0["key"] } == ["busy/BTC", "busy/ETH", "busy/BTC", "busy/BTC"])
    #expect(
      alerts.map { $0["title"] } == ["BTC is busy", "ETH is busy", "BTC is busy", "BTC is busy"])
    #expect(alerts.map { $0["suppressed"] } == [nil, nil, 1, nil])
    #expect(alerts.map { $0["severity"] } == Array(repeating: "critical", count: 4))
    #expect(alerts.map { $0.timestamp } == [1_000, 2_000, 61_000, 91_000])
    #expect(alerts.map { $0["since"] } == [nil, nil, 1_000, 1_000])
    #expect(alerts[0]["row"] == ["timestamp": 1_000, "pair": "BTC", "count": 120])
    let said = host.published.filter { $0.type == "__message" }.map { $0["message"] }
    #expect(said.first == "BTC is busy: 120 trades of BTC." && said.count == 4)
  }

  @Test func `silence resolves the raised alert`() async throws {
    var settings = Self.busy
    settings["silence_seconds"] = 60
    settings["output"] = nil
    settings["resolved_message"] = "{pair} is calm."
    let monitor = try monitor(settings)
    async let events = host.run(monitor, untilPublished: 2)
    await host.queried()
    give("BTC", 120, at: 1_000)
    _ = await host.published(atLeast: 1)
    for _ in 0..<5 {
      await host.clock.someoneSleeps()
      host.clock.advance(by: .seconds(15))
      if host.published.count > 1 { break }
    }
    #expect(try await events.map { $0["text"] } == ["120 trades of BTC.", "BTC is calm."])
  }

  @Test func `an annotation is started, and its end replaces it`() async throws {
    let monitor = try monitor([
      "query": "q", "message": "Pump {pump}.", "condition": "on", "kind": "annotation",
      "resolve": true, "by": ["pump"],
    ])
    async let events = host.run(monitor, untilPublished: 2)
    await host.queried()
    host.give(["timestamp": 1_000, "pump": 1, "__holds": true])
    host.give(["timestamp": 9_000, "pump": 1, "__holds": false])
    let published = try await events
    #expect(published.map(\.type) == ["__annotations", "__annotations"])
    #expect(published.map { $0["begin"] } == [1_000, 1_000])
    #expect(published.map { $0["end"] } == [31_000, 9_000])
    #expect(published[0]["uid"] == published[1]["uid"])
    #expect(published.map { $0["message"] } == ["Pump 1.", "Over after 8 s: Pump 1."])
  }

  @Test func `a restart ends neither the cooldown nor a raised alert`() async throws {
    let first = try monitor(Self.busy)
    async let before = host.run(first, untilPublished: 4)
    await host.queried()
    give("BTC", 120, at: 1_000)
    give("ETH", 110, at: 1_000)
    _ = try await before
    #expect(try await host.kept.keys(prefix: "said/busy/").count == 2)

    let second = try monitor(Self.busy)
    async let after = host.run(second, untilPublished: 6)
    await host.queried()
    give("BTC", 130, at: 31_000)
    give("BTC", 5, at: 32_000)
    give("ETH", 140, at: 61_000)
    let alerts = try await after.filter { $0.type == "alert" }.dropFirst(2)
    #expect(
      alerts.map { $0["text"] } == ["Over after 31 s: 130 trades of BTC.", "140 trades of ETH."])
  }

  @Test func `several rules run in one process with one output`() async throws {
    let monitor = try monitor([
      "rules": [
        ["query": "a", "message": "A {n}.", "kind": "message"],
        ["query": "b", "message": "B {n}.", "kind": "message", "output": ["room": "other"]],
      ], "output": ["room": "ops"],
    ])
    async let events = host.run(monitor, untilPublished: 2)
    await host.queried(atLeast: 2)
    host.give(["n": 1], to: "a")
    _ = await host.published(atLeast: 1)
    host.give(["n": 2], to: "b")
    let published = try await events
    #expect(published.map { $0["message"] } == ["A 1.", "B 2."])
    #expect(published.map { $0["room.id"] } == ["ops", "other"])
  }

  @Test(arguments: [
    ("query:1:9: there is no function cuont.", "busy: query:1:9: there is no function cuont."),
    ("query:3:7: a value is missing.", "busy: condition:1:7: a value is missing."),
    ("query:4:1: here is no end.", "busy: condition:1:1: here is no end."),
    ("The host is full.", "busy: The host is full."),
  ])
  func `a mistake in the query ends the rule with its place in the settings`(
    said: String, message: String
  ) async throws {
    let monitor = try monitor(Self.busy)
    let run = Task { try await monitor.run() }
    await host.queried()
    host.failQueries(with: ModuleError(.invalidArgument, said))
    await #expect {
      try await run.value
    } throws: { ($0 as? ModuleError)?.message == message }
  }

  @Test func `a column that the query can't return is refused before any row`() async throws {
    var settings = Self.busy
    settings["message"] = "{cuont} of {pair.name}"
    let monitor = try monitor(settings)
    let run = Task { try await monitor.run() }
    await host.queried()
    host.say(.start(columns: ["pair", "count", "__holds"]))
    await #expect {
      try await run.value
    } throws: {
      ($0 as? ModuleError)?.message
        == #"busy: message: the query gives no column "cuont"; it gives "pair", "count"."#
    }
  }

  @Test func `a missing column of event rows is reported once`() async throws {
    let monitor = try monitor(["query": "a", "message": "{n} {m}", "cooldown_seconds": 0])
    async let events = host.run(monitor, untilPublished: 2)
    await host.queried()
    host.give(["n": 1], ["n": 2])
    #expect(try await events.map { $0["text"] } == ["1 {m?}", "2 {m?}"])
    #expect(
      host.logs.filter { $0.level == .warning }.map(\.message) == [
        #"the query gives no column "m"; it gives "n", "timestamp"."#
      ])
    #expect(host.logs.filter { $0.level == .info }.map(\.message) == ["1 {m?}", "2 {m?}"])
  }

  @Test func `a rule doesn't react to its own alerts`() async throws {
    let output: JSONObject = ["author": ["id": 2, "name": "Rules"], "room": "ops"]
    let monitor = try monitor([
      "query": "*", "message": "{n}", "cooldown_seconds": 0, "output": .object(output),
    ])
    async let events = host.run(monitor, untilPublished: 10)
    await host.queried()
    let own: JSONObject = ["type": "__message", "n": 1, "author": ["id": 2, "name": "Rules"]]
    host.give(own)
    host.give(["type": "__message", "n": 2, "author": ["id": 3, "name": "Rules"]])
    host.give(["type": "__message", "n": 3, "author": ["name": "Rules"]])
    var row: JSONObject = ["type": "trade", "n": 4]
    for number in 5...9 {
      row = ["type": "alert", "n": JSONValue(number), "row": .object(row)]
      host.give(row)
    }
    host.give(["type": "trade", "n": 10])
    let said = try await events.filter { $0.type == "alert" }.map { $0["text"] }
    #expect(said == ["2", "3", "5", "6", "10"])
  }

  @Test func `a message without a room is refused`() {
    #expect {
      _ = try monitor(["query": "a", "message": "b", "kind": "message"])
    } throws: {
      "\($0)".contains("output.room")
    }
  }
}
