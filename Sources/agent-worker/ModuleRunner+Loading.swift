import AgentModuleLoader
import AgentWorkerProtocol
import CAgentModule
import CCrashReport

extension ModuleRunner {
  mutating func load(_ loading: Startup.Loading) {
    do {
      try open(loading.request)
    } catch {
      return fail(loading.id, code: .failed, message: error.message, cause: error.cause)
    }
    crash_note_images()
    let loaded = describe(loading)
    connection.update { state, frames in
      frames.append(state.session.loaded(loading.id, loaded))
    }
  }

  private mutating func open(_ load: Load) throws(ModuleLoadError) {
    if let library = load.library {
      module = try LoadedModule.load(
        path: library, origin: load.origin, module: load.module)
    }
    if let declarations = load.functions {
      functions = try FunctionCaller(declarations: declarations, directory: load.directory)
    }
  }

  private func describe(_ loading: Startup.Loading) -> Loaded {
    let entries = (module?.contributions ?? []).compactMap { entry in
      WireKind(rawValue: entry.kind).map { ContributionName($0, entry.name) }
    }
    let names = (functions?.names ?? []).map { ContributionName(.action, $0) }
    return Loaded(
      abi: Int(module?.abi ?? AGENT_ABI), name: module?.name ?? loading.request.module,
      version: module?.version ?? loading.request.version, contributions: entries + names,
      sandbox: loading.sandbox.level, sandboxDetail: loading.sandbox.detail)
  }

  mutating func configure(_ id: UInt32, _ configure: Configure) {
    let name = configure.contribution
    guard running[name] == nil else {
      return fail(id, code: .invalidArgument, message: "The \(name) is configured already.")
    }
    if !isFunction(name) {
      do {
        let instance = try create(configure)
        running[name] = Running(instance: instance)
        order.append(name)
      } catch {
        return fail(id, code: StatusCode(error.status), message: error.message)
      }
    }
    connection.update { state, frames in frames.append(state.session.ready(id)) }
  }

  private func create(_ configure: Configure) throws(ModuleFailure) -> ContributionInstance {
    let name = configure.contribution
    guard let module,
      let entry = module.contributions.first(where: {
        $0.kind == name.kind.rawValue && $0.name == name.name
      })
    else { throw ModuleFailure(.unsupported, "The module has no \(name).") }
    return try module.create(
      entry, settings: configure.settings,
      services: WorkerServices(connection: connection, thread: thread),
      extensions: HostTable.extensions.intersection(configure.extensions))
  }

  func isFunction(_ name: ContributionName) -> Bool {
    name.kind == .action && functions?.names.contains(name.name) == true
  }
}

extension StatusCode {
  init(_ status: ModuleStatus) {
    self = StatusCode(rawValue: status.rawValue) ?? .failed
  }
}
