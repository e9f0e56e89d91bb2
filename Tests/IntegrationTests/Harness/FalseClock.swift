import Glibc
import Testing

/// The wall clock of an agent's host, which a test sets: libfaketime shows it something else than the
/// machine's. The steady clock stays as it is.
struct FalseClock {
  /// What the host's environment has to have.
  let variables: [String: String]
  private let folder: TemporaryFolder

  init(of agent: AgentUnderTest) async throws {
    let library = "/usr/lib/\(Self.multiarch)-linux-gnu/faketime/libfaketimeMT.so.1"
    try #require(access(library, R_OK) == 0, "The Debian package faketime is needed.")
    let timers = try await FixtureBuilder.shared.library("steady_timers.c")
    folder = agent.folder
    variables = [
      "LD_PRELOAD": "\(timers):\(library)", "FAKETIME_TIMESTAMP_FILE": "\(agent.folder.path)/clock",
      "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    ]
    try set(0)
  }

  /// Sets it to `seconds` before or after the machine's clock.
  func set(_ seconds: Int) throws {
    // A moment of its own ("@…") would begin anew whenever the file is read.
    try folder.write("clock", seconds < 0 ? "\(seconds)\n" : "+\(seconds)\n")
  }

  /// Sets it back by some milliseconds from the machine's clock.
  func setBack(milliseconds: Int) throws {
    try folder.write("clock", "-\(Double(milliseconds) / 1000)\n")
  }

  private static var multiarch: String {
    #if arch(arm64)
      "aarch64"
    #else
      "x86_64"
    #endif
  }
}
