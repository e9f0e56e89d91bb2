internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Starts workers of the module under test as a host does. It uses a temporary agent's folder,
/// which ``close()`` removes. Its calls block, so they need a thread that may block.
final class ModuleTestBench: Sendable {
  /// The stored state of the workers.
  let state: TrialState
  private let folder: AgentFolder
  private let planner: WorkerPlanner
  private let supervisor: Supervisor
  private let sandbox: SandboxMode
  private let lines: Written
  private let started = Mutex(0)

  /// The lines that the workers wrote to standard output and standard error.
  private final class Written: Sendable {
    let byWorker = Mutex<[(worker: String, line: String)]>([])
  }

  init(installation: WorkerInstallation, sandbox: SandboxMode) throws(HostError) {
    folder = try Self.makeFolder()
    state = TrialState(path: folder.store)
    self.sandbox = sandbox
    planner = WorkerPlanner(
      installation: installation, folder: folder,
      copies: LibraryCopies(folder: folder.libraries), interpreters: InterpreterPrefixes())
    let lines = Written()
    self.lines = lines
    do {
      supervisor = Supervisor(
        loop: try EventLoop(name: "check"),
        configuration: SupervisorConfiguration(sparesPerKey: 0, killsOrphans: false)
      ) { event in
        guard case .output(let line) = event.kind else { return }
        lines.byWorker.withLock { $0.append((event.name, line)) }
      }
    } catch {
      throw HostError(.failed, error.message)
    }
  }

  private static func makeFolder() throws(HostError) -> AgentFolder {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/agent-check-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw HostError(
        .failed, "No folder can be created in \(base): \(SystemError.text(errno)).")
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do {
      // This file makes it an agent's folder. Otherwise, a `settings.json` above it could be found.
      try FileSystem.replace("\(path)/settings.json", with: Array("{}\n".utf8))
      let folder = try AgentFolder.locate(settings: "\(path)/settings.json")
      try folder.prepare()
      return folder
    } catch {
      throw HostError(.failed, "\(path) can't be used: \(error)")
    }
  }

  /// Returns the plan of a worker with its sandbox, as a host with default settings makes it.
  func plan(_ manifest: Manifest, _ contributions: [(Contribution, [UInt8])]) -> Planned {
    let name = "check-\(started.withLock { $0 += 1; return $0 })"
    let configurations = contributions.map { contribution, settings in
      Configure(
        contribution: contribution.wireName, process: name, settings: settings,
        extensions: HostExtensions.offered)
    }
    let planned = planner.plan(
      name: name, manifest: manifest, configurations: configurations, limits: WorkerLimits(),
      sandbox: sandbox, environment: [:], restart: .temporary, supervision: SupervisionSettings())
    var spec = planned.spec
    spec.spareKey = nil
    // The check has its own time limits. The supervisor ends a worker at once when the check asks
    // for it.
    spec.timeouts = ChildTimeouts(
      ready: .seconds(86_400), stop: .zero, terminate: .zero, pingInterval: nil)
    return Planned(spec: spec, plan: planned.plan)
  }

  typealias Planned = WorkerPlanner.Planned

  /// Starts a process and blocks until it runs.
  /// - Throws: `TrialFailure.notStarted` with the reason.
  func start(_ planned: Planned) throws(TrialFailure) -> TrialChannel {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<TrialChannel, TrialFailure>?>(nil)
    Task { [supervisor] in
      let made = Mutex<TrialChannel?>(nil)
      defer { done.signal() }
      do {
        try await Self.begin(planned.spec, supervisor: supervisor) { channel in
          made.withLock { $0 = channel }
        }
        let reason = try await supervisor.status(planned.spec.name).reason
        let channel = made.withLock { $0 }
        result.withLock {
          $0 = channel.map { .success($0) } ?? .failure(.notStarted(reason ?? "unknown"))
        }
      } catch {
        result.withLock { $0 = .failure(.notStarted("\(error)")) }
      }
    }
    done.wait()
    guard let outcome = result.withLock({ $0 }) else { throw .notStarted("unknown") }
    return try outcome.get()
  }

  private static func begin(
    _ spec: ChildSpec, supervisor: Supervisor,
    made: @escaping @Sendable (TrialChannel) -> Void
  ) async throws {
    try await supervisor.add(spec) { connection in
      let channel = TrialChannel(connection)
      made(channel)
      return channel
    }
    try await supervisor.start(spec.name)
  }

  /// Ends a process if it still runs.
  func end(_ name: String) {
    let done = DispatchSemaphore(value: 0)
    Task { [supervisor] in
      defer { done.signal() }
      // An error means that the process has ended already.
      _ = try? await supervisor.stop(name, deadline: .zero)
      _ = try? await supervisor.remove(name)
    }
    done.wait()
  }

  /// Returns the lines that a worker wrote, or those of all workers.
  func written(by worker: String? = nil) -> [String] {
    lines.byWorker.withLock { lines in
      lines.filter { worker == nil || $0.worker == worker }.map(\.line)
    }
  }

  /// Ends all workers and removes the folder.
  func close() {
    let done = DispatchSemaphore(value: 0)
    Task { [supervisor] in
      await supervisor.shutdown(deadline: .zero)
      done.signal()
    }
    done.wait()
    state.close()
    Self.remove(folder.path)
  }

  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in FileSystem.names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
