import AgentJSON
import AgentKit
import AgentKitTesting
import Testing

@Suite struct OutputTests {
  static let output = Output(
    author: .init(id: 2, name: "Flow"), room: .init(id: "ops", name: "Operations"),
    dashboard: .init(id: 17, name: "Well 0"),
    messageEvent: .init(eventType: "raw_well0", mnemonic: "MSG"))

  @Test func `an alert becomes an event, a chat message and a channel value`() throws {
    let alert = Alert(
      "3.2 m.", title: "High water", severity: .critical, key: "tide", since: 5,
      fields: ["height": 3.2, "text": "not this", "state": 7])
    let events = Self.output.events(alert, at: 1_000)
    #expect(events.map(\.type) == ["alert", "__message", "raw_well0"])
    #expect(events.map(\.timestamp) == [1_000, 1_000, 1_000])
    #expect(
      events[0].fields == [
        "state": "raised", "severity": "critical", "title": "High water", "text": "3.2 m.",
        "key": "tide", "since": 5, "author": ["id": 2, "name": "Flow"],
        "room": ["id": "ops", "name": "Operations"], "height": 3.2,
      ])
    var message = events[1].fields
    let uid = try #require(message["uid"]?.string)
    message["uid"] = nil
    #expect(
      message == [
        "createdAt": 1_000, "message": "High water: 3.2 m.", "author": ["id": 2, "name": "Flow"],
        "room": ["id": "ops", "name": "Operations"],
      ])
    #expect(
      uid.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
        != nil)
    #expect(events[2].fields == ["MSG": ["value": "High water: 3.2 m."]])
  }

  @Test func `an alert without a chat room publishes its event alone`() {
    let events = Output(eventType: "flood").events(Alert("High.", state: .resolved), at: 1)
    #expect(events.map(\.type) == ["flood"])
    #expect(events[0].fields == ["state": "resolved", "severity": "warning", "text": "High."])
    #expect(Output().events(Message("Hello."), at: 1).isEmpty)
    let own = Message("Hello.", author: .init(name: "Ada"), room: .init(id: "here"), uid: "u")
    let said = Output(author: .init(name: "Bot")).events(own, at: 1)
    #expect(said.map { $0["author.name"] } == ["Ada"])
    #expect(said.map { $0["room"] } == [["id": "here"]])
  }

  @Test func `an annotation has a beginning and an end, also where it gives neither`() {
    let event = Annotation("Pretest.", uid: "p-1", color: "#E87919", fields: ["probe": 1])
      .event(Self.output, at: 1_000)
    #expect(event.type == "__annotations")
    #expect(
      event.fields == [
        "uid": "p-1", "createdAt": 1_000, "begin": 1_000, "end": 31_000, "message": "Pretest.",
        "author": "Flow", "room": ["id": "ops", "name": "Operations"], "dashboardId": 17,
        "dashboard": "Well 0", "searchable": true, "__color": "#E87919", "__overwrite": ["uid"],
        "probe": 1,
      ])
    func span(_ begin: Int64?, _ end: Int64?) -> [JSONValue?] {
      let event = Annotation("", begin: begin, end: end).event(at: 100)
      return [event["begin"], event["end"]]
    }
    #expect(span(5, 5) == [5, 5])
    #expect(span(5, 4) == [5, 30_005])
    #expect(span(nil, 200) == [100, 200])
    #expect(span(.max, nil) == [JSONValue(Int64.max), JSONValue(Int64.max)])
  }

  @Test func `published events have the host's time`() async throws {
    let host = TestHost(process: "p", clock: TestClock(now: 70))
    try await host.host.events.publish(Alert("a"))
    try await host.host.events.publish(Message("m", timestamp: 60), to: Self.output)
    try await host.host.events.publish(Annotation("n"), to: Self.output)
    #expect(host.published.map(\.type) == ["alert", "__message", "raw_well0", "__annotations"])
    #expect(host.published.map(\.timestamp) == [70, 60, 60, 70])
  }

  @Test func `the settings choose the name, the room and the channel`() throws {
    func output(_ json: JSONValue) throws -> Output {
      try json.decode(Output.self)
    }
    #expect(
      try output([
        "author": ["id": 2, "name": "Flow"], "room": ["id": "ops", "name": "Operations"],
        "dashboard": ["id": 17, "name": "Well 0"],
        "message_event": ["event_type": "raw_well0", "mnemonic": "MSG"],
      ]) == Self.output)
    #expect(
      try output(["author": "Flow", "room": "ops", "dashboard": "d", "event_type": "e"])
        == Output(
          author: .init(name: "Flow"), room: .init(id: "ops"), dashboard: .init(id: "d"),
          eventType: "e"))
    #expect(try output([:]) == Output())
  }

  @Test func `severities have an order`() {
    #expect(Severity.allCases.sorted(by: >) == [.critical, .warning, .info])
  }
}
