import AgentJSON
import AgentModules
import AgentSettings
import TestSupport
import Testing

/// What is known to be secret without that a schema or a reference says so.
@Suite struct SecretTests {
  /// Settings with every place where a secret of the host's own may stand.
  private static let settings = """
    {"enabled_modules": ["trades"],
     "modules": {"trades": {"environment": {"SIGN_TOKEN": "canary-module", "ROOM": "ops-room"}}},
     "processes": {"x": {"type": "krakenfx", "environment": {
       "DB_PASSWORD": "canary-process", "TOKEN_LIMIT": "100000"}}},
     "traces": {"endpoint": "http://127.0.0.1:4318", "headers": {"Authorization": "Bearer canary-trace"}},
     "notifications": {"notifiers": {
       "a": {"type": "webhook", "headers": {"X-Auth": "Basic canary-header"},
             "url": "https://example.org/hooks/canary0path0drawn?room=ops&token=canary%2dquery"},
       "b": {"type": "command", "command": ["x"], "environment": {"MY_SECRET": "canary-command"}}
     }}}
    """

  private func redactor(_ text: String) throws -> Redactor {
    try SettingsFixture().load(text, strict: false).redactor
  }

  @Test(arguments: [
    "canary-module", "canary-process", "canary-trace", "canary-header", "canary-query",
    "canary%2dquery", "canary0path0drawn", "canary-command",
  ])
  func `configured secrets are replaced wherever they appear`(secret: String) throws {
    #expect(try redactor(Self.settings).redact("no \(secret) here") == "no [secret] here")
  }

  @Test(arguments: ["ops-room", "example.org/hooks", "room=ops", "100000", "Bearer", "Basic"])
  func `a word that is no secret stays`(word: String) throws {
    #expect(try redactor(Self.settings).redact("see \(word) here") == "see \(word) here")
  }

  @Test(arguments: [
    #"{"traces": {"endpoint": "http://ann:canary-77@host"}}"#,
    #"{"notifications": {"notifiers": {"a": {"type": "webhook", "url": "https://canary-77@x/y"}}}}"#,
    #"{"notifications": {"notifiers": {"a": {"type": "webhook", "url": "https:x?key=canary-77"}}}}"#,
    #"{"http": {"tls": {"certificate": "a.pem", "key": "-----BEGIN PRIVATE KEY-----\ncanary-77"}}}"#,
    #"{"http": {"tls": {"certificate": "a.pem", "key": {"password": "canary-77"}}}}"#,
    #"{"http": {"base_url": "http://x:canary-77@y"}}"#,
  ])
  func `no problem shows a secret`(settings: String) throws {
    let result = try SettingsFixture().load(settings, strict: false)
    let said = result.problems.map { $0.json.text() }.joined(separator: "\n")
    #expect(!said.contains("canary-77"), "\(said)")
    #expect(!result.problems.isEmpty || settings.contains("base_url"))
  }

  @Test func `a text under a telling key of a module's settings is replaced, a number isn't`()
    throws
  {
    let fixture = try SettingsFixture()
    try fixture.folder.write(
      "modules/keyed/module.json",
      """
      {"name": "keyed", "version": "1.0.0", "command": ["x"],
       "actions": {"send": {"settings": {"properties": {"api_token": {"type": "string"}}}}},
       "processes": {"k": {"kind": "datasource", "settings": {"properties": {
         "api_key": {"type": "string"}, "nested": {"type": "object"}, "room": {"type": "string"},
         "max_tokens": {"type": "integer"}, "cookie": {"type": "string"}}}}}}
      """)
    let result = try fixture.load(
      """
      {"enabled_modules": ["keyed"],
       "modules": {"keyed": {"actions": {"send": {"settings": {"api_token": "canary-module"}}}}},
       "processes": {"x": {"type": "k", "api_key": "canary-key", "max_tokens": 100000,
         "nested": {"password": ["canary-nested", "12345678"]}, "room": "ops-room",
         "cookie": "${env:COOKIE}"}}}
      """, strict: false, environment: ["COOKIE": "canary-variable"])
    for secret in ["canary-module", "canary-key", "canary-nested", "12345678", "canary-variable"] {
      #expect(result.redactor.redact("no \(secret) here") == "no [secret] here")
    }
    let words = "100000 ops-room api_key ${env:COOKIE}"
    #expect(result.redactor.redact(words) == words)
  }

  @Test(arguments: [
    #""postgres://ann:canary-77@db/x""#, #""see amqp://b and redis://:canary-77@c:6379, too""#,
    #""mysql://ann:canary%2d77@db""#, #""postgres://ann:canary-77/9?@db/x""#, #""${env:DATABASE}""#,
    #"["http://localhost:80/@x", {"deep": "postgres://ann:canary-77@[::1]:5432/x"}]"#,
  ])
  func `the password of an address is a secret under any key`(value: String) throws {
    let fixture = try SettingsFixture()
    try fixture.folder.write(
      "modules/keyed/module.json",
      """
      {"name": "keyed", "version": "1.0.0", "command": ["x"],
       "processes": {"k": {"kind": "datasource", "settings": {"properties": {"database": true}}}}}
      """)
    let result = try fixture.load(
      #"{"enabled_modules": ["keyed"], "processes": {"x": {"type": "k", "database": \#(value)}}}"#,
      strict: false, environment: ["DATABASE": "postgres://ann:canary-77@db/x"])
    let text = result.redactor.redact(value.contains("/9") ? "canary-77/9?" : "canary-77")
    #expect(text == "[secret]")
  }

  @Test(arguments: [
    "https://a.example:8443/users/@me", "https://[::1]/a@b", "git+ssh://git@host/x", "a:b@c",
    "https://a.example/b:word@c", "postgres://ann:${secret:PASSWORD}@db/x",
  ])
  func `an address without a password has no secret`(address: String) throws {
    let redactor = try redactor(
      #"{"processes": {"x": {"type": "krakenfx", "database": "\#(address)"}}}"#)
    #expect(redactor.redact(address) == address)
  }

  @Test func `a key in place of its file's name is reported as such`() throws {
    let result = try SettingsFixture().load(
      #"{"http": {"tls": {"certificate": "a.pem", "key": "-----BEGIN PRIVATE KEY-----\nMC4CAQ"}}}"#)
    #expect(result.lines.contains { $0.contains("http.tls.key: this is the content of the file.") })
  }

  @Test(arguments: [
    (
      #""api_key": 4711"#, "expected a string, found a number. The value is secret and isn't shown."
    ),
    (#""pin": "4711""#, "expected at most 3 characters. The value is secret and isn't shown."),
    (#""nested": {"password": 4711}"#, "expected a string, found a number. The value is secret"),
    (#""max_tokens": "4711""#, "expected an integer, found \"4711\". Remove the quotes."),
  ])
  func `a wrong value in a secret place is reported by its type`(
    member: String, message: String
  ) throws {
    let fixture = try SettingsFixture()
    try fixture.folder.write(
      "modules/keyed/module.json",
      """
      {"name": "keyed", "version": "1.0.0", "command": ["x"], "processes": {"k": {
        "kind": "datasource", "settings": {"properties": {
          "api_key": {"type": "string"}, "max_tokens": {"type": "integer"},
          "pin": {"type": "string", "format": "password", "maxLength": 3},
          "nested": {"properties": {"password": {"type": "string"}}}}}}}}
      """)
    let result = try fixture.load(
      #"{"enabled_modules": ["keyed"], "processes": {"x": {"type": "k", \#(member)}}}"#)
    #expect(result.lines.contains { $0.contains(message) }, "\(result.lines)")
  }
}
