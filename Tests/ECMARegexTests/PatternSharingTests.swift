import ECMARegex
import Testing

@Suite struct PatternSharingTests {
  /// One thread builds the table, or reads a page of categories, while others are matching.
  @Test(arguments: ["^(a|ab)(c|bcd)(d*)$", "^\\p{L}+$", "^(?:\\p{Lu}|\\p{Nd}x)+$", "(?<=é)\\p{Ll}"])
  func `threads that share a pattern get the same results`(pattern: String) async throws {
    let texts = ["abcd", "acd", "abx", "Привет", "Ж7x", "éa", "中文", "\u{1F409}", "aé", ""]
    let expected = try texts.map { try matches(pattern, $0) }
    let shared = try Pattern(pattern)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<100).allSatisfy { _ in
            zip(texts, expected).allSatisfy { shared.matches($0) == $1 }
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
