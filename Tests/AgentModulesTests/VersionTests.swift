import AgentModules
import Testing

@Test func `versions are ordered as by semver`() throws {
  let ordered = [
    "0.0.9", "0.1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
    "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.10.0", "2",
  ].map { SemanticVersion($0) }
  for (a, b) in zip(ordered, ordered.dropFirst()) {
    #expect(try #require(a) < #require(b))
  }
  #expect(SemanticVersion("1.0.0+a") == SemanticVersion("1.0.0+b"))
}

@Test(arguments: ["", "v1", "1.", "1..2", "1.2.3.4", "-1", "1.2.x", "1.0-", "99999999999999999999"])
func `a text that isn't a version is refused`(text: String) {
  #expect(SemanticVersion(text) == nil)
}

@Test(arguments: [
  (">=0.1", "0.1.0", true), (">=0.1", "0.0.9", false),
  (">=1.2 <2", "1.9.9", true), (">=1.2 <2", "2.0.0", false), (">= 1.2, < 2", "1.2.0", true),
  ("^1.2", "1.9.0", true), ("^1.2", "2.0.0", false), ("^0.2.3", "0.3.0", false),
  ("^0.0.3", "0.0.4", false), ("~1.2", "1.2.9", true), ("~1.2", "1.3.0", false),
  ("1.2.3", "1.2.3", true), ("1.2.3", "1.2.4", false), ("1.2", "1.2.9", true),
  ("1.2", "1.3.0", false), ("*", "0.0.1", true), ("<=2", "2.0.0", true), (">2", "2.0.0", false),
])
func `a range contains the versions it describes`(range: String, version: String, holds: Bool)
  throws
{
  let range = try #require(VersionRange(range))
  #expect(try range.contains(#require(SemanticVersion(version))) == holds)
}

@Test(arguments: ["", "latest", "=>1", ">=", "1.2 - 2", "^^1", ">=1 || <2"])
func `a text that isn't a range is refused`(text: String) {
  #expect(VersionRange(text) == nil)
}
