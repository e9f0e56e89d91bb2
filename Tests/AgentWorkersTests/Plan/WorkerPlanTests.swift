import AgentModules
import AgentWorkerProtocol
import HostTestSupport
import TestSupport
import Testing

@testable import AgentWorkers

@Suite struct WorkerPlanTests {
  private func difference(
    _ manifest: String = TestAgent.manifest, _ change: (inout Loaded) -> Void = { _ in }
  ) throws -> String? {
    let agent = try TestAgent(manifest: manifest)
    let read = Manifest.read(directory: "\(agent.folder.path)/modules/clock").0
    let manifest = try #require(read)
    var loaded = Loaded(
      abi: 1, name: "clock", version: "0.1.0", contributions: manifest.offers.map(\.wireName))
    change(&loaded)
    let plan = WorkerPlan(
      name: "p", manifest: manifest,
      load: Load(module: "clock", version: "0.1.0", directory: "/", hostVersion: "0.1.0"),
      configurations: [])
    return plan.difference(to: loaded)
  }

  @Test func `a module that matches its manifest is accepted`() throws {
    #expect(try difference() == nil)
  }

  @Test func `each difference is named with a remedy`() throws {
    #expect(try difference { $0.abi = 2 }?.contains("ABI 2") == true)
    #expect(try difference { $0.name = "watch" }?.contains("\"watch\"") == true)
    #expect(try difference { $0.version = "0.2.0" }?.contains("version 0.2.0") == true)
    #expect(
      try difference { $0.contributions.removeLast() }?.contains("agent build clock") == true)
    #expect(
      try difference { $0.contributions.append(ContributionName(.action, "more")) }?
        .contains("action \"more\"") == true)
  }

  @Test func `declared functions may be missing among the worker's contributions`() throws {
    let manifest = """
      {"name": "clock", "version": "0.1.0", "title": "Clock", "abi": 1,
       "functions": {"pow": {"library": "libm.so.6", "returns": "double", "parameters": [
         {"name": "x", "type": "double"}, {"name": "y", "type": "double"}]}}}
      """
    #expect(try difference(manifest) == nil)
    #expect(try difference(manifest) { $0.contributions = [] } == nil)
  }
}
