import AgentJSON
import AgentModules
import AgentSettings
import Testing

/// `access`: users by the hashes of their passwords, and nothing but hashes.
@Suite struct AccessSettingsTests {
  private static let hash =
    "$argon2id$v=19$m=65536,t=2,p=1$Gb8BANt/pElPVKy4NA9KrQ$STQKK77rYzaEDWZZj9VkwAIRGUgwHiS7D3Hg958v9qk"

  private func load(_ users: String, environment: [String: String] = [:]) throws -> SettingsResult {
    try SettingsFixture().load(
      #"{"access": {"users": \#(users)}}"#, environment: environment)
  }

  @Test func `users are read with their hashes, which are secret`() throws {
    let result = try load(#"{"ada": {"role": "operator", "password": "\#(Self.hash)"}}"#)
    let settings = try #require(result.settings)
    let user = try #require(settings.access.users.first)
    #expect(user.name == "ada" && user.role == "operator" && user.hash == Self.hash)
    #expect(settings.redactor.redact("x \(Self.hash)") == "x [secret]")
    #expect(try SettingsFixture().load("{}").settings?.access == AccessSettings())
  }

  @Test func `a hash may come from a variable`() throws {
    let result = try load(
      #"{"ada": {"role": "viewer", "password": "${secret:ADA}"}}"#, environment: ["ADA": Self.hash])
    #expect(result.settings?.access.users.first?.hash == Self.hash)
  }

  @Test func `the retention of the audit log is the schema's`() throws {
    let result = try SettingsFixture().load(
      #"{"access": {"audit": {"max_age_days": 2.5, "max_bytes": "3MB"}}}"#)
    #expect(result.settings?.access.audit.maxAgeDays == 2.5)
    #expect(result.settings?.access.audit.maxBytes == 3 << 20)
    let path = "/properties/access/properties/audit/properties"
    let schema = result.composedSchema.value(at: try JSONPointer(path))
    #expect(schema?["max_age_days"]?["default"]?.double == AccessSettings.Audit().maxAgeDays)
    #expect(schema?["max_bytes"]?["default"] == "256MB")
    #expect(AccessSettings.Audit().maxBytes == 256 << 20)
  }

  @Test func `the lifetime of a session is the schema's`() throws {
    let result = try SettingsFixture().load(#"{"access": {"session_hours": 0.5}}"#)
    #expect(result.settings?.access.sessionHours == 0.5)
    let path = "/properties/access/properties/session_hours/default"
    let value = result.composedSchema.value(at: try JSONPointer(path))
    #expect(value?.double == AccessSettings().sessionHours)
  }

  @Test(arguments: [
    (
      #"{"ada": {"role": "viewer", "password": "hunter2hunter"}}"#, "\"agent user hash\" creates it"
    ),
    (#"{"ada": {"role": "viewer", "password": 47110815}}"#, "isn't shown"),
    (#"{"ada": {"role": "viewer", "password": ["hunter2hunter"]}}"#, "isn't shown"),
    (#"{"ada": {"role": "king", "password": "$argon2id$"}}"#, "found \"king\""),
    (#"{"ada": {"role": "viewer"}}"#, "missing key \"password\""),
    (#"{"a b": {"role": "viewer", "password": "$argon2id$"}}"#, "a b"),
  ])
  func `a user that breaks the rules is refused, and no password is shown`(
    users: String, words: String
  ) throws {
    let result = try load(users)
    #expect(result.settings == nil)
    let said = result.problems.map(\.description).joined(separator: "\n")
    #expect(said.contains(words), "\(said)")
    #expect(!said.contains("hunter2") && !said.contains("47110815"), "\(said)")
  }
}
