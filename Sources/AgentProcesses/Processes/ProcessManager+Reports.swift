package import AgentDiagnostics
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
package import AgentWorkers
internal import Synchronization

extension ProcessManager {
  /// Returns the state of every process and service worker, in the order of the settings. An
  /// instance of a pool is only included while it runs or should run, because the settings contain
  /// as many as the pool may have.
  package func reports() async -> [ProcessReport] {
    let byName = await children()
    let settings = settings
    let shown = settings.processes.filter { process in
      process.pool == nil || byName[process.name].map { $0.state != .stopped } ?? false
    }
    var reports = shown.map { report($0, byName[$0.name], in: settings) }
    for module in settings.modules where !module.enabledContributions.isEmpty {
      reports.append(report(servicesOf: module, byName["module:\(module.manifest.name)"]))
    }
    return reports.map { $0.redacted(by: settings.redactor) }
  }

  /// Returns the state of one process.
  /// - Throws: `notFound` with the nearest name.
  package func report(_ name: String) async throws(HostError) -> ProcessReport {
    if let report = await reports().first(where: { $0.name == name }) { return report }
    throw unknown(name)
  }

  /// Returns the health of enabled processes and of service workers.
  package func health() async -> [HealthSnapshot] {
    let byName = await children()
    let settings = settings
    let processes = settings.processes.filter(\.enabled).map {
      report($0, byName[$0.name], in: settings, withSandbox: false)
    }
    let modules = settings.modules.filter { !$0.enabledContributions.isEmpty }.map {
      report(servicesOf: $0, byName["module:\($0.manifest.name)"], withSandbox: false)
    }
    return (processes + modules).map(HealthSnapshot.process)
  }

  private func children() async -> [String: ChildStatus] {
    Dictionary(
      await supervisor.status().map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  private func report(
    _ process: ProcessSettings, _ child: ChildStatus?, in settings: AgentSettings,
    withSandbox: Bool = true
  ) -> ProcessReport {
    if let worker = state.withLock({ $0.inProcess[process.name] }) {
      return worker.report(isEnabled: process.enabled, startedAt: environment.start.at)
    }
    var report = base(
      process.name, module: process.module.name, type: process.contribution.name, child: child,
      withSandbox: withSandbox)
    // An instance of a pool counts as not enabled, because the pool starts it and not the host.
    report.isEnabled = process.enabled || process.pool != nil
    if !process.enabled, report.state == .stopped { report.state = .disabled }
    return report
  }

  private func report(
    servicesOf module: ModuleSettings, _ child: ChildStatus?, withSandbox: Bool = true
  ) -> ProcessReport {
    let name = "module:\(module.manifest.name)"
    var report = base(
      name, module: module.manifest.name, type: "", child: child, withSandbox: withSandbox)
    if let worker = state.withLock({ $0.inProcess[name] }), report.state == .stopped {
      return worker.report(isEnabled: true, startedAt: environment.start.at)
    }
    // The worker wasn't needed yet, or a person stopped it. It starts when it is needed.
    if report.state == .stopped { report.state = .idle }
    return report
  }

  private func base(
    _ name: String, module: String, type: String, child: ChildStatus?, withSandbox: Bool
  ) -> ProcessReport {
    let links = registry.links(of: name)
    var report = ProcessReport(
      name: name, module: module, type: type, isEnabled: true,
      state: child.map { ProcessState($0.state) } ?? .stopped, pid: child?.pid,
      startedAt: child?.startedAt,
      readyAt: child?.readyAt, restarts: child?.restarts ?? 0,
      lastExit: child?.lastExit.map { "\($0)" },
      reason: child?.reason, sandbox: nil, sandboxDetail: nil, isolation: "worker")
    switch child?.state {
    case .failed(let reason): report.reason = reason
    case .finished(succeeded: false):
      report.reason = child?.reason ?? "Its work has ended with a failure; its log may say why."
    default: break
    }
    // The sum, because the host holds the bytes of both workers while one replaces the other.
    if !links.isEmpty {
      report.held = links.map(\.load).reduce(WorkerLoad(), +)
      report.refused = links.map(\.refused).reduce(into: [:]) { all, refused in
        all.merge(refused) { $0.adding($1) }
      }
    }
    guard withSandbox, let pid = child?.pid else { return report }
    if let reached = registry.sandbox(of: name, pid: pid) {
      report.sandbox = reached.level
      report.sandboxDetail = reached.detail
    }
    return report
  }
}

extension ProcessReport {
  /// Returns the report without secrets. The reason of a failure is the module's message, which may
  /// quote one.
  func redacted(by redactor: Redactor) -> ProcessReport {
    var report = self
    report.reason = reason.map(redactor.redact)
    report.lastExit = lastExit.map(redactor.redact)
    return report
  }
}
