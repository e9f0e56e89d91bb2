import AgentEvents
import AgentJSON
import Testing

struct EventQueryTests {
  private func event(_ object: JSONObject) throws -> Event {
    let bus = EventBus(now: { 1_000 })
    return try #require(try bus.publish([object], source: "test").first)
  }

  @Test(arguments: [
    ("trades", true), ("TRADES", true), ("*", true), ("quotes", false), ("type:trades", true),
    ("trades pair:XBT", true), ("trades pair:xbt", true), ("pair:XBT", true),
    ("trades pair:ETH", false), ("* amount:2.50", true), ("* amount:2.51", false),
    ("* user.name:\"Ann B\"", true), ("* user.name:Ann", false), ("* user.*", nil),
    ("* tags:b", true), ("* missing:*", false), ("* pair:*", true), ("* live:true", true),
  ])
  func `a query matches by type and by field`(query: String, expected: Bool?) throws {
    let event = try event([
      "type": "trades", "pair": "XBT", "amount": 2.5, "user": ["name": "Ann B"],
      "tags": ["a", "b"], "live": true,
    ])
    guard let expected else {
      #expect(throws: EventQueryError.self) { try EventQuery(parsing: query) }
      return
    }
    #expect(try EventQuery(parsing: query).matches(event) == expected)
  }

  @Test(arguments: [
    ("", 1, "empty"), ("trades quotes", 8, "only the first word"), ("a | b", 3, "alternatives"),
    ("trades => count()", 8, "pipes"), ("-trades", 1, "negation"), ("trades -x:1", 8, "negation"),
    ("trades pair:", 13, "value is missing"), ("trades pair:(a|b)", 13, "groups"),
    ("trades x:\"open", 10, "isn't closed"), ("tr*des", 1, "wildcards"),
    ("trades x:[1 TO 2]", 10, "ranges"), ("term~1", 5, "fuzzy"), (":x", 1, "name is missing"),
  ])
  func `what this version can't run is refused with its position`(
    query: String, column: Int, words: String
  ) throws {
    let error = try #require(throws: EventQueryError.self) { try EventQuery(parsing: query) }
    #expect(error.column == column)
    #expect(error.message.contains(words), "\(error)")
  }

  @Test func `a dotted member wins over a nested one`() throws {
    let event = try event(["type": "t", "a.b": 1, "a": ["b": 2]])
    #expect(event.field("a.b") == 1)
  }
}
