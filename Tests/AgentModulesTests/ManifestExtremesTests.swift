import AgentJSON
import AgentModules
import TestSupport
import Testing

/// Every key of `module.json` gets extremes, as its schema declares it.
@Suite struct ManifestExtremesTests {
  @Test func `extremes in every key are refused with their line or taken`() throws {
    let schema = SharedSchemas.module
    let sampler = SchemaSampler(components: schema["$defs"] ?? [:])
    let folder = try TestFolder()
    try folder.write("libtrades.so", "")
    let missed = DeclaredFields(sampler).missed(of: schema)
    #expect(missed.isEmpty, "\(missed)")
    var tried = 0
    for (field, part) in sampler.fields(of: schema) {
      for extreme in Extreme.values(for: part) {
        tried += 1
        try folder.write(
          "module.json", sampler.text(for: schema, with: extreme.text, at: field))
        let (manifest, problems) = Manifest.read(directory: folder.path, named: "modules/trades")
        #expect(manifest != nil || problems.contains { $0.severity == .error })
      }
    }
    #expect(tried > 500)
  }
}
