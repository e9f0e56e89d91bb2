import AgentJSON
import Glibc
import Testing

/// The module `replay`, compiled and run as a user does it.
@Suite struct ReplayTests {
  private static let module = "\(Places.repository)/modules/replay"

  @Test(.timeLimit(.minutes(10)))
  func `a file is replayed once, whatever happens to the host, and wrong lines are named`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      for folder in ["", "/datasources"] {
        for name in TemporaryFolder.names(in: Self.module + folder)
        where name.hasSuffix(".swift") || name.hasPrefix("module") {
          let bytes = try TemporaryFolder.bytes(ofFile: "\(Self.module)\(folder)/\(name)")
          try agent.folder.write("modules/replay\(folder)/\(name)", bytes)
        }
      }
      let lines = (0..<5000).map { #"{"type": "t", "timestamp": \#($0 * 1000), "n": \#($0)}"# }
      try agent.folder.write("modules/replay/all.jsonl", lines.joined(separator: "\n"))
      try agent.folder.write("modules/replay/wrong.jsonl", lines[0] + "\n{\"n\": }\n")
      try agent.settings(
        modules: ["replay"],
        processes: [
          "all": ["type": "replay", "file": "all.jsonl", "speed": "max"],
          "wrong": ["type": "replay", "file": "wrong.jsonl", "event_type": "w"],
        ])
      let cache = ["XDG_CACHE_HOME": "\(Places.executables)/sdk-cache"]
      let built = try await agent.background(["build", "replay"], variables: cache)
        .finished(within: .seconds(400))
      #expect(built.status == 0, "\(built.errors)\(built.output)")

      try await agent.run()
      try await agent.process("all", "is done") { $0.state == "FINISHED" }
      let wrong = try await agent.process("wrong", "has failed") { $0.state == "FAILED" }
      #expect(wrong.reason.contains("wrong.jsonl:2:7: "), "\(wrong)")
      let replayed = try await agent.events("type:t")
      #expect(replayed.compactMap { $0["n"]?.int } == Array(0..<5000))
      #expect(replayed.allSatisfy { $0["source"] == "all" })
      #expect(try await agent.events("type:w").count == 1)

      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try await agent.run()
      try await agent.process("all", "is done again") { $0.state == "FINISHED" }
      #expect(try await agent.events("type:t").count == 5000)
    }
  }
}
