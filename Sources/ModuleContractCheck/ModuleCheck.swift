internal import AgentModules
internal import AgentSettings
internal import AgentWorkerProtocol
package import AgentWorkers

/// The conformance test of `docs/protocol.md` and of what a host expects of modules: one module,
/// examined from outside, without a host and without settings of an agent.
///
/// It runs the module's code in its sandbox, with settings and inputs that are made from the
/// manifest: what an action or a notifier does with them, it does.
package struct ModuleCheck: Sendable {
  private let directory: String
  private let installation: WorkerInstallation?
  private let sandbox: SandboxMode
  private let limits: CheckLimits

  /// The module in a folder.
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

  /// Examines the module.
  /// - Parameter found: takes each finding at once, on a thread of the check.
  /// - Throws: `HostError` when the check itself can't be done.
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
      // Without a thread nobody would answer below.
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
