import AgentJSON
import Glibc
import Testing

/// What processes keep, over the end of their worker and of the host.
@Suite struct StateTests {
  private static let manifest: JSONObject = [
    "name": "counting", "version": "1.0.0", "abi": 1, "library": "libcounting.so",
    "processes": ["counter": ["kind": "datasource", "settings": ["type": "object"]]],
  ]

  /// An agent with the process "c", which counts in C.
  private func counting(
    isolation: String = "worker", flags: [String] = [],
    _ body: (AgentUnderTest) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      let library = try await FixtureBuilder.shared.library("counter_module.c", flags)
      try agent.folder.link(library, as: "modules/counting/libcounting.so")
      try agent.write(Self.manifest, of: "counting")
      try agent.settings(
        modules: ["counting"], processes: ["c": ["type": "counter"]],
        supervision: ["max_restarts": 50],
        others: ["modules": ["counting": ["isolation": .string(isolation)]]])
      try await body(agent)
    }
  }

  /// Waits until it has counted on from there; returns how far it is.
  @discardableResult private func counts(_ agent: AgentUnderTest, beyond count: Int) async throws
    -> Int
  {
    try await eventually("it counts beyond \(count)", said: { agent.said }) {
      let n = try await agent.events("counted").last?["n"]?.int ?? 0
      return n > count ? n : nil
    }
  }

  /// Every number that was published: each once, in order, without a gap that isn't a kill's.
  private func published(_ agent: AgentUnderTest) async throws -> [Int] {
    try await agent.events("counted").compactMap { $0["n"]?.int }
  }

  /// Lets it count, kills the worker so often and then the host, and gives what it has published.
  private func numbers(_ agent: AgentUnderTest, kills: Int, step: Int) async throws -> [Int] {
    try await agent.run()
    var reached = try await counts(agent, beyond: step)
    for _ in 0..<kills {
      let worker = try await agent.process("c", "runs") { $0.state == "RUNNING" }
      kill(pid_t(try #require(worker.pid)), SIGKILL)
      reached = try await counts(agent, beyond: reached + step)
    }
    agent.signal(SIGKILL)
    _ = try await agent.ended()
    try await agent.run()
    try await counts(agent, beyond: reached + step)
    let numbers = try await published(agent)
    // A number is published after it is safe, so a kill may swallow it, and never repeats one.
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
    return numbers
  }

  @Test func `a count continues after its worker and the host are killed`() async throws {
    try await counting { agent in
      let numbers = try await numbers(agent, kills: 3, step: 20)
      #expect(numbers.count > 60)
    }
  }

  @Test func `a running process continues from the value that a person set`() async throws {
    try await counting { agent in
      try await agent.run()
      try await counts(agent, beyond: 5)
      let edited = try await agent.agent("state", "edit", "c", "count", "--value", "1000000")
      #expect(edited.status == 0, "\(edited.errors)")
      let reached = try await counts(agent, beyond: 1_000_000)
      #expect(reached < 1_100_000)
      let numbers = try await published(agent)
      #expect(numbers.contains(1_000_001))
      #expect(try await agent.agent("module", "check", "counting").status == 0)
    }
  }

  @Test func `a worker that doesn't stop for its successor can't write any more`() async throws {
    try await counting(flags: ["-DSTUBBORN"]) { agent in
      func settings(_ generation: Int) throws {
        try agent.settings(
          modules: ["counting"],
          processes: [
            "c": [
              "type": "counter", "reload": "overlap",
              "environment": ["GENERATION": .string("\(generation)")],
            ]
          ],
          supervision: ["stop_timeout_ms": 700])
      }
      try settings(1)
      try await agent.run()
      let reached = try await counts(agent, beyond: 5)
      try settings(2)
      #expect(try await agent.agent("reload").status == 0)
      try await agent.record(of: "c", with: "belongs to its newest worker")
      try await counts(agent, beyond: reached + 50)
      let numbers = try await published(agent)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
      try await agent.status("the old worker has ended") { $0["c"]?.state == "RUNNING" }
    }
  }

  @Test func `an in-process module keeps its count, too`() async throws {
    try await counting(isolation: "host") { agent in
      try await agent.run()
      let reached = try await counts(agent, beyond: 10)
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try await agent.run()
      try await counts(agent, beyond: reached + 10)
      let numbers = try await published(agent)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
    }
  }

  private static let python = """
    from agent_module import Datasource, Event, Module

    module = Module("counting", "1.0.0")


    @module.datasource("counter")
    class Counter(Datasource):
        async def run(self):
            while True:
                n = await self.host.state.update("count", lambda n: n + 1, 0)
                await self.host.events.publish(Event("counted", {"n": n}))
                await self.host.sleep(0.005)


    if __name__ == "__main__":
        module.run()

    """

  @Test func `a count in Python continues after a restart`() async throws {
    try await AgentUnderTest.with { agent in
      var manifest = Self.manifest
      manifest["library"] = nil
      manifest["abi"] = nil
      manifest["command"] = ["python3", "main.py"]
      try agent.addPython("counting", main: Self.python, manifest: manifest)
      try agent.settings(modules: ["counting"], processes: ["c": ["type": "counter"]])
      _ = try await numbers(agent, kills: 1, step: 10)
    }
  }
}
