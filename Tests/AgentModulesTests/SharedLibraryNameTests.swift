import Testing

@testable import AgentModules

@Suite struct SharedLibraryNameTests {
  @Test(arguments: [
    ("libx.so", true), ("libx.so.1", true), ("libx.so.1.22", true), ("x.source.c", false),
    ("x.so.c", false), ("x.so.", false), ("so", false), ("x.c", false), ("", false),
  ])
  func `a shared library is recognized by its name`(_ name: String, _ isOne: Bool) {
    #expect(SharedLibraryName.matches(name) == isOne)
  }
}
