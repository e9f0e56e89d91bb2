import AgentJSON
import AgentModules
import AgentSettings
import TestSupport
import Testing

@Test func `a sole reference takes the schema's type, and one inside a text is inserted`() throws {
  let result = try SettingsFixture().loadProcess(
    """
    "type": "trade_frequency", "window": "${env:WINDOW}", "notify": "${env:NOTIFY}",
    "label": "${env:WINDOW} s, $${env:WINDOW}", "pairs": ["${env:PAIR}", "${HOME}"]
    """, environment: ["WINDOW": "60", "NOTIFY": "false", "PAIR": "12"])
  #expect(result.lines == [])
  let settings = try #require(result.settings?.process("x")?.settings)
  #expect(settings["window"] == 60 && settings["notify"] == false)
  #expect(settings["label"] == "60 s, ${env:WINDOW}")
  #expect(settings["pairs"] == ["12", "${HOME}"])
}

@Test func `a wrong value from a reference is reported like any other`() throws {
  let result = try SettingsFixture().loadProcess(
    "\"type\": \"trade_frequency\", \"window\": \"${env:W}\"", environment: ["W": "often"])
  #expect(
    result.lines == [
      "settings.json:2:38: processes.x.window: expected an integer, found \"often\". "
        + "Write a value such as 60."
    ])
}

@Test(arguments: [true, false])
func `a missing variable is an error to run and a warning to check`(strict: Bool) throws {
  let result = try SettingsFixture().loadProcess(
    "\"type\": \"trade_frequency\", \"window\": \"${env:WINDW}\"", strict: strict,
    environment: ["WINDOW": "1"])
  #expect(result.codes == ["variable_missing"])
  #expect(result.problems.first?.severity == (strict ? .error : .warning))
  #expect(result.lines.first?.hasSuffix("Did you mean WINDOW?") == true)
}

@Test func `a reference of another kind is refused`() throws {
  let result = try SettingsFixture().loadProcess(
    "\"type\": \"trade_frequency\", \"window\": 1, \"label\": \"${evn:X}\"")
  #expect(result.codes == ["invalid_reference"])
}

@Test func `the host's own settings take references too`() throws {
  let result = try SettingsFixture().load(
    """
    {"enabled_modules": ["trades"], "supervision": {"max_restarts": "${env:N}"},
     "processes": {"x": {"type": "krakenfx", "enabled": "${env:ON}", "environment": {"K": "${secret:K}"}}}}
    """, environment: ["N": "9", "ON": "false", "K": "hidden-key"])
  let settings = try #require(result.settings, "\(result.lines)")
  #expect(settings.supervision.maxRestarts == 9)
  #expect(settings.process("x")?.enabled == false)
  #expect(settings.process("x")?.environment == ["K": "hidden-key"])
  #expect(settings.redactor.redact("K=hidden-key") == "K=[secret]")
}

@Test func `problems don't show secrets`() throws {
  let fixture = try SettingsFixture()
  let written = try fixture.loadProcess(
    "\"type\": \"trade_frequency\", \"window\": 1, \"token\": \"a-token-that-is-much-too-long\"")
  #expect(written.codes == ["invalid_value"])
  let referred = try fixture.loadProcess(
    "\"type\": \"trade_frequency\", \"window\": \"${secret:T}\"",
    environment: ["T": "a-token-that-is-much-too-long"])
  #expect(referred.codes == ["wrong_type"])
  for result in [written, referred] {
    #expect(!"\(result.problems.map(\.json))".contains("a-token"))
    #expect(result.redactor.redact("t=a-token-that-is-much-too-long!") == "t=[secret]!")
  }
}

@Test(arguments: [
  #"a\u00fcb \"c\"\\d/e+"#, #"a\u00FCb \u0022c\u0022\u005cd\/e+"#,
  #"a\\u00fcb \\\"c\\\"\\\\d/e+"#, "a%C3%BCb%20%22c%22%5Cd%2fe%2B", "a%c3%bcb+%22c%22%5Cd/e+",
  "aüb \"c\"\\d/e+",
])
func `a secret is replaced in every form that JSON and addresses give it`(form: String) {
  let redactor = Redactor(["aüb \"c\"\\d/e+", "\u{1F511}-key"])
  #expect(redactor.redact("[\(form)]") == "[[secret]]")
  #expect(redactor.redact("a\\u00fdb aub a%C3") == "a\\u00fdb aub a%C3")
  #expect(redactor.redact(#"\ud83d\uDD11-key %F0%9F%94%91-key"#) == "[secret] [secret]")
}

@Test func `the redactor finds secrets whole, escaped, and the longest first`() {
  let redactor = Redactor(["abcd", "abcdef", "quo\"te\n", "7"])
  #expect(redactor.redact("abcdef abcd abc") == "[secret] [secret] abc")
  #expect(redactor.redact(#"{"k":"quo\"te\n"}"#) == #"{"k":"[secret]"}"#)
  #expect(redactor.redact("7 17 7a 7") == "[secret] 17 7a [secret]")
  #expect(Redactor([]).redact("x") == "x")
}

@Test func `the env file is read into a table`() throws {
  let fixture = try SettingsFixture()
  try fixture.folder.write(
    ".env",
    """
    # a comment
    WINDOW=60
    export LABEL="a \\"b\\"\\n" # said
    PAIR='x # y $Z'
    EMPTY=
    BARE = some words # and a comment
    """, mode: 0o600)
  let result = try fixture.loadProcess(
    """
    "type": "trade_frequency", "window": "${env:WINDOW}", "label": "${env:LABEL}|${env:EMPTY}",
    "pairs": ["${env:PAIR}", "${env:BARE}"]
    """, environment: ["WINDOW": "1"])
  #expect(result.lines == [])
  let settings = try #require(result.settings?.process("x")?.settings)
  #expect(settings["window"] == 60)
  #expect(settings["label"] == "a \"b\"\n|")
  #expect(settings["pairs"] == ["x # y $Z", "some words"])
}

@Test func `an env file that is malformed or open to others is reported without its text`() throws {
  let fixture = try SettingsFixture()
  try fixture.folder.write(".env", "A=1\nsecret-word\nB=\"x\n2C=1\n", mode: 0o644)
  let result = try fixture.load("{}")
  #expect(result.codes == ["env_open_to_others", "env_syntax", "env_syntax", "env_syntax"])
  #expect(result.problems.compactMap(\.place?.line) == [2, 3, 4])
  #expect(!result.lines.joined().contains("secret-word"))
}

@Test func `a logic adapter's entry is completed by its module's schema`() throws {
  let result = try SettingsFixture().loadProcess(
    """
    "type": "chatbot", "logic_adapters": [
      {"type": "trades_counter", "enabled": "${env:ON}", "minutes": "${env:M}"},
      {"type": "trades/trades_counter"}, {"type": "trades_search", "index": "$${x}"}]
    """, environment: ["ON": "false", "M": "7"])
  #expect(result.lines == [])
  #expect(
    result.settings?.process("x")?.settings["logic_adapters"] == [
      ["type": "trades_counter", "enabled": false, "minutes": 7],
      ["type": "trades/trades_counter", "enabled": true, "minutes": 5],
      ["type": "trades_search", "enabled": true, "index": "${x}"],
    ])
}

@Test func `the host's names and variables can't be used`() throws {
  let result = try SettingsFixture().load(
    """
    {"enabled_modules": ["${env:WHICH}"], "processes": {
      "agent": {"type": "krakenfx", "environment": {"AGENT_WORKER_FD": "1", "A=B": ""}},
      "y": {"type": "${env:TYPE}"}}}
    """, strict: false, environment: ["WHICH": "trades"])
  #expect(
    result.codes.sorted()
      == ["invalid_key", "reserved_name", "reserved_variable", "variable_missing"],
    "\(result.lines)")
}
