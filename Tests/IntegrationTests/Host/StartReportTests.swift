import AgentJSON
import Glibc
import Testing

/// `agent start` on a disk that takes nothing.
@Suite struct StartReportTests {
  @Test func `a failed start says why where its log file takes nothing`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try agent.folder.write(".agent/store.db/in-the-way", "")
      try agent.folder.write(".agent/logs/x", "")
      for name in [".agent", ".agent/logs"] { chmod("\(agent.folder.path)/\(name)", 0o700) }
      // Every write to it fails as on a full disk.
      #expect(symlink("/dev/full", "\(agent.folder.path)/.agent/logs/agent.out") == 0)
      let failed = try await agent.agent("start")
      #expect(failed.status == 1)
      #expect(failed.errors.contains("The agent's database can't be opened."), "\(failed.errors)")
    }
  }
}
