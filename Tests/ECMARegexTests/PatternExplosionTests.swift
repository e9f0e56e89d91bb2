import AgentJSON
import ECMARegex
import Foundation
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
    let compiled = try Pattern(pattern)
    let first = compiled.search(text)
    #expect(first != .matches, "\(pattern)")
    // Once more: by now the automaton may have become a table.
    #expect(compiled.search(text) == first, "\(pattern)")
    let hasReference = pattern.contains("\\1")
    #expect(first == .differs || hasReference, "\(pattern) was given up")
  }
}
