import AgentJSON
import AgentSettings
import JSONSchema
import Testing

private func composed() throws -> Schema {
  let result = try SettingsFixture().load("{\"enabled_modules\": [\"trades\", \"talk\"]}")
  return try Schema(result.composedSchema)
}

@Test(arguments: [
  "{}",
  #"{"processes": {"x": {"type": "trade_frequency", "window": 5, "limits": {"memory": "1GB"}}}}"#,
  #"{"processes": {"x": {"type": "trades/krakenfx", "enabled": false}}}"#,
  #"{"processes": {"x": {"type": "trade_frequency", "window": "${env:W}", "notify": "${env:N}"}}}"#,
  #"{"processes": {"x": {"type": "chatbot", "logic_adapters": [{"type": "trades_counter", "minutes": 1}]}}}"#,
  #"{"modules": {"trades": {"actions": {"export_trades": {"settings": {"folder": "x"}}}}}}"#,
])
func `the composed schema accepts what the host accepts`(text: String) throws {
  let failures = try composed().validate(JSONDocument(parsing: text).root)
  #expect(failures.map(\.message) == [])
}

@Test(arguments: [
  #"{"processes": {"x": {"type": "trade_frequency", "window": "5"}}}"#,
  #"{"processes": {"x": {"type": "trade_frequency", "window": 5, "windw": 5}}}"#,
  #"{"processes": {"x": {"type": "trade_frequency", "window": 5, "pairs": [5]}}}"#,
  #"{"processes": {"x": {"type": "nothing"}}}"#,
  #"{"processes": {"x": {"type": "chatbot", "logic_adapters": [{"type": "trades_counter", "minute": 1}]}}}"#,
  #"{"processes": {"x": {"type": "trade_frequency", "window": 5, "output": {"autor": "x"}}}}"#,
  #"{"modules": {"trades": {"actions": {"export": {}}}}}"#,
  #"{"unknown": 1}"#,
])
func `the composed schema refuses what the host refuses`(text: String) throws {
  #expect(try !composed().isValid(JSONDocument(parsing: text).root))
}

@Test func `every integer of the host's own settings has a maximum`() throws {
  let schema = try SettingsFixture().load("{}").composedSchema
  var unbounded: [String] = []
  func look(_ value: JSONValue, at path: String) {
    let isInteger =
      value["type"]?.string == "integer" || value["type"]?.array?.contains("integer") == true
    if isInteger, value["maximum"] == nil, value["enum"] == nil { unbounded.append(path) }
    for (key, member) in value.object ?? [:] { look(member, at: "\(path)/\(key)") }
    for (index, element) in (value.array ?? []).enumerated() {
      look(element, at: "\(path)/\(index)")
    }
  }
  look(schema, at: "")
  // An id is passed on as it is. Nothing is computed with it.
  #expect(unbounded.filter { !$0.contains("/properties/id/") } == [])
  #expect(schema["properties"]?["events"] != nil)
}
