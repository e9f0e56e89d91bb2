import AgentJSON
import Glibc
import Testing

/// `agent build` and `agent dev`, with a module in C.
@Suite struct BuildTests {
  /// The ticker as its author has it: sources, and no library yet.
  private func addSources(to agent: AgentUnderTest, generation: Int = 1) async throws {
    let source = try TemporaryFolder.bytes(
      ofFile: "\(Places.repository)/Tests/Fixtures/ticker_module.c")
    let text = String(decoding: source, as: UTF8.self)
    try agent.folder.write(
      "modules/ticker/ticker.c", "#define GENERATION \(generation)\n" + text)
    try agent.write(Manifests.ticker, of: "ticker")
  }

  @Test func `a module is built, and compiler errors are shown`() async throws {
    try await AgentUnderTest.with { agent in
      try await addSources(to: agent)
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      let built = try await agent.json("build", "ticker")
      #expect(built.status == 0)
      let product = built.value["built"]?[0]?["product"]?.string ?? ""
      #expect(product.hasSuffix("modules/ticker/libticker.so"))
      #expect(try await agent.agent("build").output.contains("Every enabled module is built."))
      let library = try agent.folder.bytes("modules/ticker/libticker.so")

      try agent.folder.write("modules/ticker/ticker.c", "int broken( { return nothing; }\n")
      let refused = try await agent.agent("build", "ticker")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("ticker.c:1:"), "\(refused.errors)")
      #expect(refused.errors.contains("error"), "\(refused.errors)")
      #expect(try agent.folder.bytes("modules/ticker/libticker.so") == library)
      #expect(try await agent.agent("build", "nobody").status == 4)
    }
  }

  @Test func `a build is swapped into the running agent`() async throws {
    try await AgentUnderTest.with { agent in
      try await addSources(to: agent)
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      #expect(try await agent.agent("build", "ticker").status == 0)
      try await agent.run()
      let before = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      try await addSources(to: agent, generation: 2)
      let built = try await agent.agent("build", "ticker")
      #expect(built.status == 0, "\(built.errors)")
      #expect(built.output.contains("clock"), "\(built.output)")
      try await agent.ticks(generation: 2)
      try await agent.process("clock", "is another") { $0.pid != before.pid }
    }
  }

  @Test func `dev builds and swaps saved changes and continues after an error`() async throws {
    try await AgentUnderTest.with { agent in
      try await addSources(to: agent)
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      #expect(try await agent.agent("build", "ticker").status == 0)
      try await agent.run()
      let dev = try agent.background(["dev", "ticker"])
      _ = try await eventually("dev watches", said: { dev.said }) {
        dev.said.contains("Watching") ? true : nil
      }
      try await addSources(to: agent, generation: 2)
      try await agent.ticks(generation: 2)
      try agent.folder.write("modules/ticker/ticker.c", "int broken( { return nothing; }\n")
      _ = try await eventually("the error is shown", said: { dev.said }) {
        dev.said.contains("ticker.c:1:") ? true : nil
      }
      try await addSources(to: agent, generation: 3)
      try await agent.ticks(generation: 3)
      #expect(dev.status() == nil)
      dev.signal(SIGINT)
      _ = try await dev.finished()
    }
  }
}

extension AgentUnderTest {
  /// Waits until the newest tick is of this generation.
  func ticks(generation: Int) async throws {
    _ = try await eventually("generation \(generation) ticks", said: { self.said }) {
      try await self.events("type:tick").last?["generation"]?.int == generation ? true : nil
    }
  }
}
