import Glibc

/// Compiles C fixtures into a folder of this test run, each once.
actor FixtureBuilder {
  static let shared = FixtureBuilder()

  private let folder = Result { try TemporaryFolder() }
  private var built: [String: Task<String, any Error>] = [:]

  /// The shared library that a source in `Tests/Fixtures` makes with these flags.
  func library(_ source: String, _ flags: [String] = []) async throws -> String {
    try await build(source, ["-shared", "-fPIC"] + flags)
  }

  /// The program that a source makes.
  func program(_ source: String) async throws -> String { try await build(source, []) }

  private func build(_ source: String, _ flags: [String]) async throws -> String {
    let folder = try folder.get().path
    let name = ([source] + flags).joined(separator: " ").map {
      $0.isLetter || $0.isNumber ? $0 : "_"
    }
    let output = "\(folder)/\(String(name))"
    let task =
      built[output]
      ?? Task {
        let command =
          ["/usr/bin/env", "cc", "-O1", "-pthread", "-I"]
          + ["\(Places.repository)/SDK/Sources/CAgentModule/include"]
          + ["\(Places.repository)/Tests/Fixtures/\(source)", "-o", output] + flags
        let compiler = try Child(
          command, in: folder, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
          output: output + ".log", errors: output + ".log")
        let finished = try await compiler.finished()
        guard finished.status == 0 else { throw HarnessError(finished.output) }
        return output
      }
    built[output] = task
    return try await task.value
  }
}
