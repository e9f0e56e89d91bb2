internal import AgentModules
internal import AgentSettings
internal import AgentWorkerProtocol
package import AgentWorkers

/// Checks a module against `docs/protocol.md` and the other expectations of a host. It needs
/// neither a host nor the settings of an agent.
///
/// The module's code runs in its sandbox, with settings and inputs that are generated from the
/// manifest. Actions and notifiers have their real effects.
package struct ModuleCheck: Sendable {
  private let directory: String
  private let installation: WorkerInstallation?
  private let sandbox: SandboxMode
  private let limits: CheckLimits

  /// - Parameter directory: the module's folder.
  package init(directory: String) {
    self.init(directory: directory, installation: nil)
  }

  init(
    directory: String, installation: WorkerInstallation?, sandbox: SandboxMode = .default,
    limits: CheckLimits = CheckLimits()
  ) {
    self.directory = directory
    self.installation = installation
    self.sandbox = sandbox
    self.limits = limits
  }

  /// Performs the check.
  /// - Parameter found: receives each finding at once, on a thread of the check.
  /// - Throws: `HostError` if the check itself can't be performed.
  package func run(
    _ found: @escaping @Sendable (CheckFinding) -> Void = { _ in }
  ) async throws(HostError) -> CheckReport {
    let (manifest, problems) = Manifest.read(directory: directory)
    let findings = Self.findings(problems)
    for finding in findings { found(finding) }
    guard let manifest else { return CheckReport(module: directory, findings: findings) }
    let bench = try makeBench()
    let thread = ModuleThread()
    do {
      try thread.start()
    } catch {
      // Without a thread, the continuation below would never be resumed.
      bench.close()
      throw HostError(.failed, error.message)
    }
    let others = await withCheckedContinuation { continuation in
      thread.run { [limits] in
        let run = ContractCheck(manifest: manifest, bench: bench, limits: limits, found: found)
        run.examine()
        bench.close()
        continuation.resume(returning: run.findings)
      }
    }
    return CheckReport(module: manifest.name, findings: findings + others)
  }

  private func makeBench() throws(HostError) -> ModuleTestBench {
    if let installation { return try ModuleTestBench(installation: installation, sandbox: sandbox) }
    return try ModuleTestBench(installation: try WorkerInstallation(), sandbox: sandbox)
  }

  private static func findings(_ problems: [Problem]) -> [CheckFinding] {
    if problems.isEmpty { return [CheckFinding(.ok, "manifest", detail: "it is valid")] }
    return problems.map { problem in
      CheckFinding(
        problem.severity == .error ? .failed : .ok, "manifest", detail: problem.description)
    }
  }
}
