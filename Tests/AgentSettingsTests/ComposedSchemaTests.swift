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
