import AgentJSON
import AgentModules
import AgentSettings
import TestSupport
import Testing

/// Every key of `settings.json` gets extremes, as its schema declares it.
@Suite struct SettingsExtremesTests {
  @Test func `extremes in every key are refused with their line or taken`() throws {
    let fixture = try SettingsFixture()
    let schema = try fixture.load(#"{"enabled_modules": ["trades", "talk"]}"#).composedSchema
    let sampler = SchemaSampler(components: schema["$defs"] ?? [:])
    let missed = DeclaredFields(sampler).missed(of: schema)
    #expect(missed.isEmpty, "\(missed)")
    var tried = 0
    for (field, part) in sampler.fields(of: schema) {
      for extreme in Extreme.values(for: part) {
        tried += 1
        let result = try fixture.load(sampler.text(for: schema, with: extreme.text, at: field))
        for problem in result.problems {
          #expect(problem.place?.line ?? 1 >= 1)
          #expect(problem.message.utf8.count < 10_000, "\(field): \(extreme.name)")
        }
      }
    }
    #expect(tried > 2000)
  }
}
