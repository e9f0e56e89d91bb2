import AgentJSON
import AgentModules
import TestSupport
import Testing

/// Every key of `module.json` gets extremes, as its schema declares it.
@Suite struct ManifestExtremesTests {
  /// Returns the text with what a module is started by. Without it each text would be refused, and
  /// the extreme would prove nothing.
  private static func started(_ text: String, _ field: SchemaSampler.Field) -> String {
    guard text.hasPrefix("{") else { return text }
    let program =
      switch field.first {
      case "abi": #""library":"libtrades.so","#
      case "library": #""abi":1,"#
      case "command": ""
      case "functions": #""abi":1,"library":"libtrades.so","#
      default: #""command":["python3","main.py"],"#
      }
    return "{" + program + text.dropFirst()
  }

  @Test func `extremes in every key are refused with their line or taken`() throws {
    let schema = SharedSchemas.module
    let sampler = SchemaSampler(components: schema["$defs"] ?? [:])
    let folder = try TestFolder()
    try folder.write("libtrades.so", "")
    let missed = DeclaredFields(sampler).missed(of: schema)
    #expect(missed.isEmpty, "\(missed)")
    var tried = 0
    var withoutPlace: [String] = []
    for (field, part) in sampler.fields(of: schema) {
      for extreme in Extreme.values(for: part) {
        tried += 1
        let text = sampler.text(for: schema, with: extreme.text, at: field)
        try folder.write("module.json", Self.started(text, field))
        let (manifest, problems) = Manifest.read(directory: folder.path, named: "modules/trades")
        let errors = problems.filter { $0.severity == .error }
        #expect(manifest != nil || !errors.isEmpty)
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
    #expect(tried > 500)
    #expect(withoutPlace.isEmpty, "\(withoutPlace.prefix(100).joined(separator: "\n"))")
  }
}
