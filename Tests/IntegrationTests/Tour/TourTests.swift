import Testing

/// One after the other: each installs, and what both need is built once.
@Suite(.serialized) struct TourTests {
  @Test(.timeLimit(.minutes(30)))
  func `the README's tour works from an installed prefix, in an empty folder`() async throws {
    let tour = try Tour(
      readme: String(
        decoding: try TemporaryFolder.bytes(ofFile: "\(Places.repository)/README.md"),
        as: UTF8.self))
    #expect(tour.steps.count > 20)
    let prefix = try await InstalledPrefix()
    let empty = try TemporaryFolder()
    try await prefix.check(tour, in: empty.path)
  }

  /// A recipe is a folder with settings, at most one script of thirty lines for each part, and what to type.
  @Test(.timeLimit(.minutes(30)))
  func `every recipe works from an installed prefix and is short`() async throws {
    let prefix = try await InstalledPrefix()
    let recipes = "\(prefix.path)/share/agent/docs/recipes"
    let names = TemporaryFolder.names(in: recipes).filter { !$0.contains(".") }
    #expect(names.count >= 10)
    for name in names {
      let folder = "\(recipes)/\(name)"
      for file in TemporaryFolder.names(in: folder)
      where file.hasSuffix(".py") || file.hasSuffix(".sh") {
        let text = String(
          decoding: try TemporaryFolder.bytes(ofFile: "\(folder)/\(file)"), as: UTF8.self)
        #expect(text.split(separator: "\n").count <= 30, "\(name)/\(file)")
      }
      let readme = String(
        decoding: try TemporaryFolder.bytes(ofFile: "\(folder)/README.md"), as: UTF8.self)
      let tour = Tour(blocksOf: readme)
      #expect(tour.steps.count > 3, "\(name)")
      try await prefix.check(tour, in: folder)
    }
  }

  @Test(arguments: [
    (["a", "b"], ["a", "b"], true), (["a", "b"], ["a"], false), (["a"], ["…"], true),
    (["a", "b", "c"], ["…", "c"], true), (["a", "b"], ["…", "c"], false),
    (["pid 12 runs"], ["pid … runs"], true), (["pid 12 ran"], ["pid … runs"], false),
    ([], ["a"], false), (["x", "a1b2c"], ["…", "a…b…c"], true), (["a"], [], true),
  ])
  func `an elision stands for any text and any lines and nothing else`(
    lines: [String], expected: [String], matches: Bool
  ) {
    #expect(Elision.matches(lines, expected) == matches)
  }
}
