import AgentJSON
import AgentModules
import AgentSettings
import TestSupport
import Testing

/// Every key of `settings.json` gets extremes, as its schema declares it.
@Suite struct SettingsExtremesTests {
  /// Names of things that a text made from the schema alone can't know, so each text is refused
  /// for them, too.
  private static let unknown: Set<String> = ["bots.local.any.action", "bots.pools.any.process"]

  /// Returns the text with both modules enabled. Settings of their processes are checked only then,
  /// and all texts would be refused otherwise, whatever the extreme.
  private static func enabling(_ text: String, _ field: SchemaSampler.Field) -> String {
    guard field.first != "enabled_modules", text.hasPrefix("{") else { return text }
    // The least that the schema asks of a rule is refused for what it lacks.
    let rest = text.dropFirst().replacing("\"when\":{}", with: #""when":{"event":"alarm"}"#)
      .replacing("\"to\":[\"x\"]", with: #""to":["log"]"#)
    return #"{"enabled_modules":["trades","talk"]"# + (rest == "}" ? "" : ",") + rest
  }

  @Test func `extremes in every key are refused with their line or taken`() throws {
    let fixture = try SettingsFixture()
    let schema = try fixture.load(#"{"enabled_modules": ["trades", "talk"]}"#).composedSchema
    let sampler = SchemaSampler(components: schema["$defs"] ?? [:])
    let missed = DeclaredFields(sampler).missed(of: schema)
    #expect(missed.isEmpty, "\(missed)")
    var tried = 0
    var withoutPlace: [String] = []
    for (field, part) in sampler.fields(of: schema) {
      for extreme in Extreme.values(for: part) {
        tried += 1
        let text = sampler.text(for: schema, with: extreme.text, at: field)
        let result = try fixture.load(Self.enabling(text, field))
        for problem in result.problems {
          #expect(problem.place?.line ?? 1 >= 1)
          #expect(problem.message.utf8.count < 10_000, "\(field): \(extreme.name)")
        }
        let errors = result.problems.filter { problem in
          problem.severity == .error
            && (problem.pointer?.tokens.last == field.last
              || !Self.unknown.contains(problem.path))
        }
        let place = RefusedPlace(field)
        let isNamed = errors.contains { problem in
          // Text that isn't JSON has no path, and a line and a column.
          problem.pointer.map(place.isNamed) ?? (problem.place != nil && problem.path.isEmpty)
        }
        if !errors.isEmpty, !isNamed {
          withoutPlace.append("\(field) \(extreme.name): \(errors[0].description.prefix(200))")
        }
      }
    }
    #expect(tried > 2000)
    #expect(withoutPlace.isEmpty, "\(withoutPlace.prefix(100).joined(separator: "\n"))")
  }
}
