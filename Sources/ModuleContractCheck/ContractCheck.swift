internal import AgentDiagnostics
internal import AgentJSON
internal import AgentModules
internal import AgentSupervision
internal import AgentWorkerProtocol
internal import AgentWorkers

/// The check of one module. It performs the tests of a `CheckPlan` and collects the findings. Its
/// methods block, so it runs on a thread of its own.
final class ContractCheck {
  let manifest: Manifest
  let plan: CheckPlan
  let bench: ModuleTestBench
  let limits: CheckLimits
  private(set) var findings: [CheckFinding] = []
  private let found: @Sendable (CheckFinding) -> Void

  init(
    manifest: Manifest, bench: ModuleTestBench, limits: CheckLimits,
    found: @escaping @Sendable (CheckFinding) -> Void
  ) {
    self.manifest = manifest
    self.bench = bench
    self.limits = limits
    self.found = found
    plan = CheckPlan(manifest)
  }

  /// Performs all tests. It ends early if the module isn't built or doesn't load.
  func examine() {
    guard isBuilt(), loads() else { return }
    for subject in plan.subjects { settings(of: subject) }
    for subject in plan.processes { sideBySide([subject], subject.name) }
    let services = plan.services.filter { !$0.variants.isEmpty }
    if !services.isEmpty { sideBySide(services, "service worker") }
    if plan.subjects.isEmpty { sideBySide([], "worker") }
    output()
  }

  // MARK: Findings

  func note(_ outcome: CheckFinding.Outcome, _ what: String, detail: String = "") {
    let finding = CheckFinding(outcome, what, detail: detail)
    findings.append(finding)
    found(finding)
  }

  func fail(_ what: String, failure: TrialFailure, advice: String, worker: ModuleTestWorker?) {
    note(.failed, what, detail: "\(failure) \(advice)\(worker?.lastWords ?? "")")
  }

  /// Starts a worker without creating its contributions.
  func worker(
    _ contributions: [(Contribution, JSONValue)] = []
  ) throws(TrialFailure) -> ModuleTestWorker {
    let planned = bench.plan(manifest, contributions.map { ($0.0, $0.1.bytes()) })
    return try ModuleTestWorker(planned, on: bench, limits)
  }

  // MARK: Handshake

  private func isBuilt() -> Bool {
    switch manifest.entry {
    case .library(let name):
      let path = manifest.libraryPath ?? name
      let isThere = FileSystem.exists(path)
      note(
        isThere ? .ok : .failed, "library",
        detail: isThere
          ? "\(name) is there"
          : "\(path) is missing. Build it: agent build \(manifest.name).")
      return isThere
    case .command(let words):
      let program = words.first ?? ""
      let path = Programs.find(program, beside: manifest.directory)
      note(
        path == nil ? .failed : .ok, "command",
        detail: path
          ?? "\(program) isn't there or can't be executed. Install it, or change \"command\" in "
          + "module.json.")
      return path != nil
    case .functionsOnly:
      note(.skipped, "library", detail: "the module declares functions of other libraries only")
      return true
    }
  }

  /// Tests the handshake up to LOADED, an unknown op, and STOP before CONFIGURE.
  private func loads() -> Bool {
    var current: ModuleTestWorker?
    do throws(TrialFailure) {
      let worker = try worker()
      current = worker
      let loaded = try worker.load()
      note(.ok, "start", detail: "HELLO and LOADED came, the sandbox is \(loaded.sandbox.rawValue)")
      if let difference = worker.plan.difference(to: loaded) {
        note(.failed, "manifest and module agree", detail: difference)
        return false
      }
      note(.ok, "manifest and module agree")
      try unknownOp(worker)
      stopEarly(worker)
      return true
    } catch {
      fail(
        "start", failure: error,
        advice: "The handshake is HELLO, LOAD, LOADED: see docs/protocol.md.", worker: current)
      return false
    }
  }

  private func unknownOp(_ worker: ModuleTestWorker) throws(TrialFailure) {
    let answer = try worker.ask(code: 100, body: Array("{\"of\":\"a later version\"}".utf8))
    let code = answer.op == .error ? (try? WorkerError(json: answer.body))?.code : nil
    note(
      code == .unsupported ? .ok : .failed, "unknown op",
      detail: code == .unsupported
        ? "it is answered with ERROR unsupported"
        : "op 100 was answered with \(answer.name)\(code.map { " \($0.name)" } ?? ""). Answer an "
          + "op that you don't know with ERROR \"unsupported\".")
  }

  private func stopEarly(_ worker: ModuleTestWorker) {
    guard let exit = worker.stop(times: 1) else {
      return note(
        .failed, "STOP before CONFIGURE",
        detail: "The process still runs after \(limits.stop). Answer STOP in every state and exit.")
    }
    note(
      exit.isSuccess ? .ok : .failed, "STOP before CONFIGURE",
      detail: exit.isSuccess
        ? "the process exits with 0" : "The worker \(exit). It must exit with 0 after STOP.")
  }

  // MARK: Output

  private func output() {
    let lines = bench.written()
    guard let first = lines.first else {
      return note(.ok, "standard output", detail: "nothing was written to it or to standard error")
    }
    note(
      .ok, "standard output",
      detail: (lines.count == 1 ? "a line was" : "\(lines.count) lines were")
        + " written to it or to standard error, such as \"\(first)\". That becomes log records "
        + "without a level; the host's log has levels.")
  }
}
