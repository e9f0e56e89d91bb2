import AgentModuleLoader
import Glibc
import Testing

@Suite struct LoaderTests {
  private func refusal(_ path: String) throws -> ModuleLoadError {
    try #require(throws: ModuleLoadError.self) {
      _ = try LoadedModule.load(path: path, module: "misbehaving")
    }
  }

  @Test func `a module's name, version and contributions are read`() throws {
    let module = try LoadedModule.load(path: FixtureBuilder.module(), module: "misbehaving")
    #expect(module.name == "misbehaving")
    #expect(module.version == "1.0.0")
    #expect(module.contributions.map(\.name) == ["misbehave", "probe", "watch"])
  }

  @Test func `a missing library is named with a remedy`() throws {
    let error = try refusal("/nowhere/libx.so")
    #expect(error.code == .missing)
    #expect(error.message.contains("/nowhere/libx.so"))
    #expect(error.message.contains("agent build misbehaving"))
  }

  @Test(arguments: ["", "not a library\n", "\u{7F}ELF"])
  func `a file that isn't a library is refused`(text: String) throws {
    #expect(try refusal(FixtureBuilder.file("text\(text.utf8.count).so", text)).code == .format)
  }

  @Test func `a library for another processor is refused with both names`() throws {
    let path = try FixtureBuilder.library("functions.c", "other")
    let file = try #require(fopen(path, "r+"))
    fseek(file, 18, SEEK_SET)
    fputc(40, file)
    fclose(file)
    let error = try refusal(path)
    #expect(error.code == .architecture)
    #expect(error.message.contains("built for arm, 64-bit"))
  }

  @Test func `a library without the entry is refused before it is loaded`() throws {
    #expect(try refusal(FixtureBuilder.module("HIDDEN")).code == .symbol)
    #expect(try refusal(FixtureBuilder.library("functions.c", "functions")).code == .symbol)
  }

  @Test func `a missing symbol is named`() throws {
    let error = try refusal(FixtureBuilder.module("MISSING"))
    #expect(error.code == .link)
    #expect(error.cause?.contains("nobody_has_this") == true)
  }

  @Test func `another interface version is refused with both versions`() throws {
    let error = try refusal(FixtureBuilder.module("ABI=3"))
    #expect(error.code == .abi)
    #expect(error.message.contains("speaks ABI 3; this host speaks 1"))
  }

  @Test func `another Swift toolchain is refused before the library's code runs`() throws {
    // The library that it names as needed doesn't exist: loading it would fail in another way.
    let core = try FixtureBuilder.library(
      "functions.c", "core", arguments: ["-Wl,-soname,libswiftCore.so.9"])
    let mark =
      "-DSWIFT_MARK=\"clang version 99 (https://github.com/swiftlang/llvm-project.git 0)\""
    let path = try FixtureBuilder.library(
      "swift_marked.c", "marked", arguments: [mark, "-Wl,--no-as-needed", core])
    let error = try refusal(path)
    #expect(error.code == .toolchain)
    #expect(error.message.contains("clang version 99"))
    #expect(error.message.contains("agent build misbehaving"))
  }

  @Test func `a module with larger structs than the host's works`() throws {
    let module = try LoadedModule.load(path: FixtureBuilder.module("BIGGER"), module: "misbehaving")
    #expect(module.contributions.map(\.kind) == [1, 4, 2])
    let probe = try module.create(module.contributions[1], settings: [], services: FakeServices())
    #expect(probe.start { _, _ in } == .ok)
    probe.destroy()
  }
}
