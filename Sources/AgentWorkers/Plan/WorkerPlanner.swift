internal import AgentJSON
package import AgentModules
package import AgentSettings
package import AgentSupervision
package import AgentWorkerProtocol
internal import Glibc

/// Makes the plans of workers from settings and manifests: the child that the supervisor runs, and
/// the messages that the host sends to the worker. It reads files and may run interpreters, so it
/// is called on a thread for files.
package struct WorkerPlanner: Sendable {
  /// The spec of a child, and the plan of the worker that the child becomes.
  package final class Planned: Sendable {
    package let spec: ChildSpec
    package let plan: WorkerPlan

    package init(spec: ChildSpec, plan: WorkerPlan) {
      self.spec = spec
      self.plan = plan
    }
  }

  /// The key of the pool of warm spares. Library workers without an environment of their own share
  /// this pool.
  static let spareKey = "agent-worker"

  package let installation: WorkerInstallation
  let folder: AgentFolder
  package let copies: LibraryCopies
  let interpreters: InterpreterPrefixes
  private let latest = LatestPlans()

  package init(
    installation: WorkerInstallation, folder: AgentFolder, copies: LibraryCopies,
    interpreters: InterpreterPrefixes
  ) {
    self.installation = installation
    self.folder = folder
    self.copies = copies
    self.interpreters = interpreters
  }

  /// Returns the plan of the worker of one process.
  package func plan(_ process: ProcessSettings, in settings: AgentSettings) -> Planned {
    let module = settings.module(process.module.name)
    let configuration = Configure(
      contribution: process.contribution.wireName, process: process.name,
      settings: process.settings.bytes(), extensions: HostExtensions.offered)
    return plan(
      name: process.name, manifest: process.module,
      configurations: [configuration] + actions(in: process, module, settings),
      limits: process.limits, sandbox: process.sandbox,
      environment: (module?.environment ?? [:]).merging(process.environment) { $1 },
      restart: process.restart, supervision: settings.supervision,
      writable: Self.writable(in: settings))
  }

  /// Returns the configurations of the actions that local bots do in a process.
  private func actions(
    in process: ProcessSettings, _ module: ModuleSettings?, _ settings: AgentSettings
  ) -> [Configure] {
    let names = Set(settings.bots.local.filter { $0.process == process.key }.map(\.action))
    return (module?.enabledContributions ?? []).filter {
      $0.contribution.kind == .action && names.contains($0.contribution.name)
    }.map { action in
      Configure(
        contribution: action.contribution.wireName, process: process.name,
        settings: action.settings.bytes(), extensions: HostExtensions.offered)
    }
  }

  /// Returns the plan of the service worker of a module. This worker serves everything that the
  /// module offers and that isn't a process.
  package func plan(_ module: ModuleSettings, in settings: AgentSettings) -> Planned {
    let name = "module:\(module.manifest.name)"
    let configurations = module.enabledContributions.map { enabled in
      Configure(
        contribution: enabled.contribution.wireName, process: name,
        settings: enabled.settings.bytes(), extensions: HostExtensions.offered)
    }
    return plan(
      name: name, manifest: module.manifest, configurations: configurations,
      limits: module.limits, sandbox: module.sandbox, environment: module.environment,
      restart: .permanent, supervision: settings.supervision,
      writable: Self.writable(in: settings))
  }

  /// Returns the paths that enabled modules may write.
  private static func writable(in settings: AgentSettings) -> [String] {
    settings.modules.flatMap(\.manifest.permissions.write)
  }

  /// Returns the plan of a worker that serves these contributions.
  /// - Parameter writable: the paths that other modules may write. Links there aren't followed.
  package func plan(
    name: String, manifest: Manifest, configurations: [Configure], limits: WorkerLimits,
    sandbox: SandboxMode, environment: [String: String], restart: ProcessSettings.Restart,
    supervision: SupervisionSettings, writable: [String] = []
  ) -> Planned {
    var limits = limits
    limits.files = limits.files ?? WorkerBounds.files(of: manifest.permissions)
    let library = manifest.libraryPath.map { copies.copy(of: $0) }
    let request = request(for: manifest, library: library, mode: sandbox, writable: writable)
    var load = Load(
      module: manifest.name, version: manifest.version.description,
      directory: manifest.directory, hostVersion: SemanticVersion.host.description)
    let command: ChildCommand
    var spareKey: String?
    if case .command(let words) = manifest.entry {
      command = self.command(
        words, manifest: manifest, sandbox: request, limits: limits, environment: environment)
    } else {
      load.library = library
      load.origin = manifest.libraryPath
      load.functions = functions(of: manifest)
      load.sandbox = request
      load.limits = ResourceLimits(files: limits.files)
      command = ChildCommand(
        executable: installation.worker, environment: self.environment(environment),
        workingDirectory: environment.isEmpty ? "/" : manifest.directory)
      // A spare already runs, so its environment can't be set any more (docs/decisions/0005).
      spareKey = environment.isEmpty ? Self.spareKey : nil
    }
    let spec = ChildSpec(
      name: name, command: command, restart: policy(restart, supervision),
      timeouts: timeouts(supervision),
      limits: ChildLimits(
        memory: limits.memory, cpu: limits.cpu, files: limits.files, processes: limits.processes,
        threads: WorkerBounds.threads),
      spareKey: spareKey)
    return latest.next(of: manifest.name) { [load] before in
      Planned(
        spec: spec.sharing(with: before?.spec),
        plan: WorkerPlan(
          name: name, manifest: manifest, load: load, configurations: configurations,
          reportsSandbox: load.sandbox != nil || command.executable == installation.launcher,
          sharingWith: before?.plan))
    }
  }

  // MARK: Commands

  private func command(
    _ words: [String], manifest: Manifest, sandbox: SandboxRequest, limits: WorkerLimits,
    environment: [String: String]
  ) -> ChildCommand {
    var local = environment
    local["AGENT_MODULE_DIR"] = manifest.directory
    let interpreter = interpreters.resolve(
      words.first ?? "", path: environment["PATH"],
      in: .init(module: manifest.directory, agent: folder.path))
    let program = [interpreter.executable] + words.dropFirst()
    if sandbox.level == .off {
      return ChildCommand(
        executable: interpreter.executable, arguments: Array(words.dropFirst()),
        environment: self.environment(local), workingDirectory: manifest.directory)
    }
    var arguments = ["--sandbox", sandbox.level.rawValue]
    for path in sandbox.read + interpreter.prefixes { arguments += ["--read", path] }
    for path in sandbox.write { arguments += ["--write", path] }
    for path in sandbox.run { arguments += ["--run", path] }
    if sandbox.network == .any { arguments.append("--network") }
    if !manifest.permissions.read.isEmpty || !sandbox.write.isEmpty { arguments.append("--watch") }
    if let files = limits.files { arguments += ["--files", "\(files)"] }
    return ChildCommand(
      executable: installation.launcher, arguments: arguments + ["--"] + program,
      environment: self.environment(local), workingDirectory: manifest.directory)
  }

  // MARK: Parts of every plan

  /// Returns the fixed clean environment with the variables that the settings add. It has no other
  /// variables of the host.
  private func environment(_ added: [String: String]) -> [String] {
    func inherited(_ name: String, _ otherwise: String) -> String {
      getenv(name).map { String(cString: $0) } ?? otherwise
    }
    var table = [
      "PATH": inherited("PATH", "/usr/local/bin:/usr/bin:/bin"),
      "HOME": inherited("HOME", "/"), "LANG": inherited("LANG", "C.UTF-8"),
      "AGENT_WORKER_FD": "3", "AGENT_CRASH_FD": "4", "AGENT_WORKER_OF": folder.path,
      "SWIFT_BACKTRACE": "enable=no",
    ]
    // TZ is passed only if it is set. An empty TZ means UTC, and no TZ means the machine's zone.
    if let zone = getenv("TZ") { table["TZ"] = String(cString: zone) }
    for (name, value) in added { table[name] = value }
    // The variables are sorted, because plans are compared and a dictionary has another order each
    // time.
    return table.map { "\($0.key)=\($0.value)" }.sorted()
  }

  private func request(
    for manifest: Manifest, library: String?, mode: SandboxMode, writable: [String]
  ) -> SandboxRequest {
    let rules = LinkRules(
      writable: writable + manifest.permissions.write, agent: folder.path)
    let permissions = manifest.permissions.enforced(by: rules)
    // The sandbox opens no links, so the links in its paths are resolved. If the folder's path
    // contains a link that isn't followed, the path is unchanged, and the sandbox refuses it.
    var read = permissions.read + [rules.resolve(manifest.directory) ?? manifest.directory]
    // The copy is in the agent's private folder, where no module can make a link.
    if let library { read.append(FileSystem.realPath(library) ?? library) }
    return SandboxRequest(
      level: SandboxRequest.Level(rawValue: mode.rawValue) ?? .default, read: read,
      write: permissions.write, run: permissions.run,
      network: permissions.network == .any ? .any : .none)
  }

  private func functions(of manifest: Manifest) -> [UInt8]? {
    guard !manifest.functions.isEmpty else { return nil }
    return manifest.document.root["functions"]?.value.bytes()
  }

  private func policy(
    _ restart: ProcessSettings.Restart, _ supervision: SupervisionSettings
  ) -> RestartPolicy {
    RestartPolicy(
      mode: RestartMode(rawValue: restart.rawValue) ?? .permanent,
      intensity: supervision.maxRestarts, intensityPeriod: .seconds(supervision.within),
      healthyAfter: .seconds(supervision.healthyAfter),
      backOff: .milliseconds(
        supervision.backoff.initialMs)
        // The end is the greater of both values, because a range whose end is before its beginning
        // would end the host.
        ... .milliseconds(max(supervision.backoff.initialMs, supervision.backoff.maxMs)))
  }

  private func timeouts(_ supervision: SupervisionSettings) -> ChildTimeouts {
    ChildTimeouts(
      ready: .milliseconds(supervision.readyTimeoutMs),
      stop: .milliseconds(supervision.stopTimeoutMs),
      terminate: .milliseconds(supervision.killTimeoutMs),
      pingInterval: supervision.pingIntervalMs > 0
        ? .milliseconds(supervision.pingIntervalMs) : nil,
      pingAnswer: .milliseconds(supervision.pingTimeoutMs))
  }
}

/// The limits of a worker if the settings have none. The kernel keeps some of these resources
/// outside of the worker's own memory. Only a limit of their number bounds them there.
enum WorkerBounds {
  /// The number of descriptors. Each may belong to a socket or a pipe with a buffer.
  static let files = 1024
  /// The number of descriptors of a module that may send descriptors to a socket of its own.
  ///
  /// Rationale: the kernel counts the descriptors in flight for each user. While they are more than
  /// the limit of a process, the kernel refuses one more to that process. One message has at most
  /// 253. Therefore, all these modules together stay below the limit of the other workers, whose
  /// long frames need descriptors.
  static let filesOfSenders = 512

  static func files(of permissions: Permissions) -> Int {
    permissions.network == .any || !permissions.run.isEmpty ? filesOfSenders : files
  }
  /// The number of threads. Each has a stack in the kernel and uses one of the machine's numbers
  /// for threads.
  static let threads = 1024
}

/// The extensions that this host offers to its modules.
package enum HostExtensions {
  package static let offered = [
    "events/1", "liveness/1", "metrics/1", "routes/1", "state/1", "tasks/1",
  ]
  /// The extensions that the interface declares and that later versions of the host will offer.
  package static let missing = ["fetch/1", "stream/1", "chat/1", "notify/1", "tools/1"]
}
