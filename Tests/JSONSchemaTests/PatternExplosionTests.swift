import AgentJSON
import Foundation
import JSONSchema
import Testing

/// Patterns that keep an engine which tries all ways busy for years, each with a text that almost
/// matches: a beginning, a part that is repeated, and an end. How long they take is measured by
/// `Benchmarks/JSON`, which reads the same list.
@Suite struct PatternExplosionTests {
  @Test func `an attack ends without a match`() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/explosive-patterns.json").path
    let list = try JSONValue(parsing: Array(FileManager.default.contents(atPath: path) ?? Data()))
    let cases = list.array ?? []
    #expect(cases.count >= 100)
    for item in cases { try attack(item) }
  }

  private func attack(_ item: JSONValue) throws {
    let pattern = item["pattern"]?.string ?? ""
    let pump = String(repeating: item["pump"]?.string ?? "", count: 500)
    let text = (item["prefix"]?.string ?? "") + pump + (item["suffix"]?.string ?? "")
    let schema = try Schema(["pattern": .string(pattern)])
    let document = JSONDocument(.string(text))
    #expect(!schema.isValid(document.root), "\(pattern)")
    // Once more: by now the automaton may have become a table.
    let failures = schema.validate(document.root)
    #expect(failures.count == 1, "\(pattern)")
    let isGivenUp = failures.first?.message.contains("too many steps") ?? false
    let hasReference = pattern.contains("\\1")
    #expect(!isGivenUp || hasReference, "\(pattern) was given up")
  }
}
