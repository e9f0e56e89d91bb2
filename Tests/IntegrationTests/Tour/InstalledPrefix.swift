import Glibc
import Testing

/// Bulkhead as `make install` installs it, of the build that the tests belong to.
struct InstalledPrefix {
  private let folder: TemporaryFolder

  var path: String { folder.path }

  init() async throws {
    folder = try TemporaryFolder()
    let installation = try Child(
      ["/bin/bash", "Tools/install.sh"], in: Places.repository,
      environment: environment(["PREFIX": folder.path, "BUILT": Places.executables]),
      output: "\(folder.path)/install.log", errors: "\(folder.path)/install.log")
    let finished = try await installation.finished(within: .seconds(900))
    guard finished.status == 0 else { throw HarnessError("install: \(finished.output)") }
  }

  /// Runs the commands of a tour in one shell, and looks at what each of them prints.
  func check(_ tour: Tour, in place: String) async throws {
    // A log of its own: they are appended to.
    let log = "\(folder.path)/tour-\(place.split(separator: "/").last ?? "").log"
    // A command that prints without end is stopped at 256 MiB and not by a full disk.
    let script = "ulimit -f 262144\n\(tour.script)\nagent stop >/dev/null 2>&1 || true\n"
    try folder.write("tour.sh", script)
    let path = "\(folder.path)/bin:" + (environment()["PATH"] ?? "")
    let shell = try Child(
      ["/bin/bash", "\(folder.path)/tour.sh"], in: place,
      environment: environment(["PATH": path]),
      output: log, errors: log)
    let output = try await shell.finished(within: .seconds(900)).output
    for (step, result) in zip(tour.steps, tour.results(in: output)) {
      let said = result.lines.joined(separator: "\n")
      #expect(result.code == 0, "\(place): \(step.command)\n\(said)")
      #expect(
        Elision.matches(result.lines, step.expected), "\(place): \(step.command)\n\(said)")
    }
  }

  /// What a user's shell has; the compiled SDK is kept beside the build, it takes a while.
  private func environment(_ added: [String: String] = [:]) -> [String: String] {
    var variables = ["HOME": "/nonexistent", "XDG_CACHE_HOME": "\(Places.executables)/sdk-cache"]
    variables["PATH"] = getenv("PATH").map { String(cString: $0) }
    return variables.merging(added) { $1 }
  }
}
