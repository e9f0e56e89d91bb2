internal import AgentDiagnostics
package import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Synchronization

extension HostApplication {
  func report(
    _ process: ProcessSettings, _ child: ChildStatus?, in settings: AgentSettings,
    withSandbox: Bool = true
  ) -> ProcessReport {
    if let worker = state.withLock({ $0.inProcess[process.name] }) {
      return worker.report(isEnabled: process.enabled, startedAt: startedAt)
    }
    var report = base(
      process.name, module: process.module.name, type: process.contribution.name, child,
      withSandbox)
    // An instance of a pool counts as not enabled, because the pool starts it and not the host.
    report.isEnabled = process.enabled || process.pool != nil
    if !process.enabled, report.state == "STOPPED" { report.state = "DISABLED" }
    return report
  }

  func report(
    servicesOf module: ModuleSettings, _ child: ChildStatus?, withSandbox: Bool = true
  ) -> ProcessReport {
    let name = "module:\(module.manifest.name)"
    var report = base(name, module: module.manifest.name, type: "", child, withSandbox)
    if let worker = state.withLock({ $0.inProcess[name] }), report.state == "STOPPED" {
      return worker.report(isEnabled: true, startedAt: startedAt)
    }
    // Nobody has needed it yet, or somebody stopped it: it starts again when it is needed.
    if report.state == "STOPPED" { report.state = "IDLE" }
    return report
  }

  private func base(
    _ name: String, module: String, type: String, _ child: ChildStatus?, _ withSandbox: Bool
  ) -> ProcessReport {
    let reached = state.withLock { $0.sandboxes[name] }
    let links = state.withLock { $0.links[name] ?? [] }
    var report = ProcessReport(
      name: name, module: module, type: type, isEnabled: true,
      state: child?.state.word ?? "STOPPED", pid: child?.pid, startedAt: child?.startedAt,
      readyAt: child?.readyAt, restarts: child?.restarts ?? 0,
      lastExit: child?.lastExit.map { "\($0)" },
      reason: child?.reason, sandbox: nil, sandboxDetail: nil, isolation: "worker")
    switch child?.state {
    case .failed(let reason): report.reason = reason
    case .finished(succeeded: false):
      report.state = "FAILED"
      report.reason = child?.reason ?? "Its work has ended with a failure; its log may say why."
    default: break
    }
    // The sum: while one worker replaces the other the host holds bytes for both.
    if !links.isEmpty { report.held = links.map(\.load).reduce(WorkerLoad(), +) }
    guard withSandbox, let pid = child?.pid else { return report }
    // Another pid is a former worker, whose sandbox says nothing of this one's.
    if let reached, reached.pid == pid {
      report.sandbox = reached.level
      report.sandboxDetail = reached.detail
    }
    return report
  }
}

extension ProcessReport {
  /// Removes secrets: the reason of a failure is in the module's own words, and may quote one.
  func redacted(by redactor: Redactor) -> ProcessReport {
    var report = self
    report.reason = reason.map(redactor.redact)
    report.lastExit = lastExit.map(redactor.redact)
    return report
  }
}

extension HostApplication {
  /// The features that the settings make available, as `agent features` shows them.
  package func features() async -> JSONValue {
    await FileWork.run { [folder] in FeatureReport(SettingsFile.load(folder)).json }
  }

  /// The enabled modules, and those that could be.
  package func modules() async -> JSONValue {
    let settings = settings
    let enabled = settings.modules.map { module in
      ModuleText.json(module.manifest, isEnabled: true, isolation: module.isolation.rawValue)
    }
    let others = settings.catalog.installedModules.compactMap(\.manifest).filter {
      settings.module($0.name) == nil
    }
    return [
      "modules": .array(
        enabled + others.map { ModuleText.json($0, isEnabled: false, isolation: "worker") })
    ]
  }
}
