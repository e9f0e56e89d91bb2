import AgentDiagnostics
import AgentEvents
import AgentLogging
import AgentMetrics
import AgentSettings
import AgentTraces
import AgentWorkers
import HostTestSupport
import Synchronization
import TestSupport
import Testing

@testable import AgentProcesses

@Suite struct SupervisedPlansTests {
  /// The processes of a folder, without a host around them.
  private func processes(of folder: AgentFolder) throws -> ProcessManager {
    let read = SettingsFile.load(folder)
    var configuration = LogConfiguration()
    configuration.toStandardError = false
    let lock = try HostStart.lock(folder)
    let events = EventBus(now: { 1 })
    let reports = ProcessEvents(events, outbox: HostOutbox(events) { _ in }) { $0 }
    return try ProcessManager(
      ProcessManager.Environment(
        settings: CurrentSettings(try #require(read.settings), read),
        start: HostStart(folder, lock, journal: StartJournal(folder: folder)),
        log: LogHub(configuration), metrics: MetricsRegistry(), tracer: Tracer(), events: events,
        reports: reports, hindrance: StoreHindrance(), services: [:], isEnding: { false }))
  }

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
    let processes = try processes(
      of: AgentFolder.locate(settings: "\(agent.folder.path)/settings.json"))
    await processes.supervise([plans[0]], by: processes.supervisor)
    // It is refused, because there is a process of this name already.
    await processes.supervise([plans[1]], by: processes.supervisor)
    // A call of it could say why.
    #expect(processes.state.withLock { $0.refused["a"] }?.contains("already") == true)
    let kept = processes.state.withLock { $0.planned["a"] }
    #expect(kept?.plan.configurations == plans[0].plan.configurations)
    #expect(plans[0].plan.configurations != plans[1].plan.configurations)
  }
}
