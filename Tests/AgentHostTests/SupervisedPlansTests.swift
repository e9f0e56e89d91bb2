import AgentSettings
import AgentWorkers
import HostTestSupport
import Synchronization
import TestSupport
import Testing

@testable import AgentHost

@Suite struct SupervisedPlansTests {
  @Test func `a plan that the supervisor refuses doesn't replace the one in force`() async throws {
    let agent = try TestAgent()
    try agent.folder.write("modules/clock/clock", "#!/bin/sh\n")
    let plans = try (1...2).map { seconds in
      let settings = """
        {"agent": {"name": "t"}, "enabled_modules": ["clock"],
         "processes": {"a": {"type": "ticks", "seconds": \(seconds)}}}
        """
      return try #require(try agent.applied(settings).planned["a"])
    }
    let folder = try AgentFolder.locate(settings: "\(agent.folder.path)/settings.json")
    let host = try HostApplication(folder: folder, options: .init(logsToTerminal: false))
    await host.processes.supervise([plans[0]], by: host.processes.supervisor)
    // It is refused, because there is a process of this name already.
    await host.processes.supervise([plans[1]], by: host.processes.supervisor)
    // A call of it could say why.
    #expect(host.processes.state.withLock { $0.refused["a"] }?.contains("already") == true)
    let kept = host.processes.state.withLock { $0.planned["a"] }
    #expect(kept?.plan.configurations == plans[0].plan.configurations)
    #expect(plans[0].plan.configurations != plans[1].plan.configurations)
  }
}
