import Glibc

/// Compiles C fixtures into a folder of this test run, each once.
actor FixtureBuilder {
  static let shared = FixtureBuilder()

  /// Goes with the process that runs the tests.
  private static let folder: Result<TemporaryFolder, any Error> = {
    atexit { try? FixtureBuilder.folder.get().remove() }
    return Result { try TemporaryFolder() }
  }()

  private var built: [[String]: Task<String, any Error>] = [:]

  /// The shared library that a source in `Tests/Fixtures` makes with these flags.
  func library(_ source: String, _ flags: [String] = []) async throws -> String {
    try await build([source, "-shared", "-fPIC"] + flags)
  }

  /// The program that a source makes.
  func program(_ source: String) async throws -> String { try await build([source]) }

  private func build(_ arguments: [String]) async throws -> String {
    if let task = built[arguments] { return try await task.value }
    let output = "\(try Self.folder.get().path)/\(built.count)"
    let task = Task { try await Self.compile(arguments, output) }
    built[arguments] = task
    return try await task.value
  }

  private static func compile(_ arguments: [String], _ output: String) async throws -> String {
    let headers = "\(Places.repository)/SDK/Sources/CAgentModule/include"
    let sources = "\(Places.repository)/Tests/Fixtures"
    let compiler = try Child(
      ["/usr/bin/env", "cc", "-O1", "-pthread", "-I", headers] + arguments + ["-o", output],
      in: sources, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
      output: output + ".log", errors: output + ".log")
    let finished = try await compiler.finished()
    guard finished.status == 0 else { throw HarnessError(finished.output) }
    return output
  }
}
