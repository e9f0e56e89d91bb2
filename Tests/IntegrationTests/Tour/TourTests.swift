import Glibc
import Testing

struct TourTests {
  @Test(.timeLimit(.minutes(10)))
  func `the README's tour works from an installed prefix, in an empty folder`() async throws {
    let tour = try Tour(
      readme: String(
        decoding: try TemporaryFolder.bytes(ofFile: "\(Places.repository)/README.md"),
        as: UTF8.self))
    #expect(tour.steps.count > 20)
    let prefix = try TemporaryFolder()
    try await install(into: prefix)
    let empty = try TemporaryFolder()
    let output = try await run(tour, in: empty, from: prefix)
    for (step, result) in zip(tour.steps, tour.results(in: output)) {
      let said = result.lines.joined(separator: "\n")
      #expect(result.code == 0, "\(step.command)\n\(said)")
      #expect(Elision.matches(result.lines, step.expected), "\(step.command)\n\(said)")
    }
  }

  @Test(arguments: [
    (["a", "b"], ["a", "b"], true), (["a", "b"], ["a"], false), (["a"], ["…"], true),
    (["a", "b", "c"], ["…", "c"], true), (["a", "b"], ["…", "c"], false),
    (["pid 12 runs"], ["pid … runs"], true), (["pid 12 ran"], ["pid … runs"], false),
    ([], ["a"], false), (["x", "a1b2c"], ["…", "a…b…c"], true), (["a"], [], true),
  ])
  func `an elision stands for any text and any lines, and nothing else does`(
    lines: [String], expected: [String], matches: Bool
  ) {
    #expect(Elision.matches(lines, expected) == matches)
  }

  /// Installs the build that the tests belong to, as `make install` installs a release.
  private func install(into prefix: TemporaryFolder) async throws {
    let installation = try Child(
      ["/bin/bash", "Tools/install.sh"], in: Places.repository,
      environment: environment(["PREFIX": prefix.path, "BUILT": Places.executables]),
      output: "\(prefix.path)/install.log", errors: "\(prefix.path)/install.log")
    let finished = try await installation.finished(within: .seconds(180))
    guard finished.status == 0 else { throw HarnessError("install: \(finished.output)") }
  }

  private func run(
    _ tour: Tour, in folder: TemporaryFolder, from prefix: TemporaryFolder
  ) async throws -> String {
    try prefix.write("tour.sh", tour.script + "\nagent stop >/dev/null 2>&1 || true\n")
    let path = "\(prefix.path)/bin:" + (environment()["PATH"] ?? "")
    let shell = try Child(
      ["/bin/bash", "\(prefix.path)/tour.sh"], in: folder.path,
      environment: environment(["PATH": path]),
      output: "\(prefix.path)/tour.log", errors: "\(prefix.path)/tour.log")
    return try await shell.finished(within: .seconds(400)).output
  }

  /// What a user's shell has; the compiled SDK is kept beside the build, it takes a while.
  private func environment(_ added: [String: String] = [:]) -> [String: String] {
    var variables = ["HOME": "/nonexistent", "XDG_CACHE_HOME": "\(Places.executables)/sdk-cache"]
    variables["PATH"] = getenv("PATH").map { String(cString: $0) }
    return variables.merging(added) { $1 }
  }
}
