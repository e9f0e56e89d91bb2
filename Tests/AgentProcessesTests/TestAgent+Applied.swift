import AgentSettings
import AgentSupervision
import AgentWorkers
import HostTestSupport
import Testing

@testable import AgentProcesses

extension TestAgent {
  /// What a host with these settings would run.
  func applied(_ text: String) throws -> Applied {
    let settings = try load(text)
    let planner = try planner
    var planned: [String: WorkerPlanner.Planned] = [:]
    for process in settings.processes {
      planned[process.name] = planner.plan(process, in: settings)
    }
    for module in settings.modules where !module.enabledContributions.isEmpty {
      let plan = planner.plan(module, in: settings)
      planned[plan.spec.name] = plan
    }
    return Applied(settings: settings, planned: planned, inProcess: [])
  }
}
