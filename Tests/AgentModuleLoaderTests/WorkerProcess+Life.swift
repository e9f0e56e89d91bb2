import AgentJSON
import AgentWorkerProtocol
import Testing

/// The session takes no calls.
struct NotRunning: Error {}

extension WorkerProcess {
  /// Brings the fixture module as far as LOADED.
  func load(
    library: String? = nil, origin: String? = nil,
    sandbox: SandboxRequest? = SandboxRequest(), directory: String = FixtureBuilder.folder,
    limits: ResourceLimits? = nil, functions: String? = nil
  ) throws -> Loaded {
    try #require(try next { if case .hello(let hello) = $0 { hello } else { nil } } != nil)
    perform(
      session.load(
        Load(
          module: "misbehaving", version: "1.0.0", directory: directory,
          library: library, origin: origin, functions: functions.map { Array($0.utf8) },
          sandbox: sandbox,
          limits: limits, hostVersion: "0.1.0")))
    let result = try next { action -> Result<Loaded, WorkerError>? in
      switch action {
      case .loaded(let loaded): .success(loaded)
      case .refused(_, let error): .failure(error)
      default: nil
      }
    }
    return try #require(result).get()
  }

  /// Brings a contribution as far as started.
  func start(_ contribution: ContributionName, settings: String = "{}") throws {
    let configure = Configure(
      contribution: contribution, process: "test", settings: Array(settings.utf8))
    perform(session.configure([configure]))
    try expect { if case .ready = $0 { true } else { nil } }
    perform(session.start())
    try expect { if case .started = $0 { true } else { nil } }
  }

  /// Brings the misbehaving datasource as far as START, whose answer may never come.
  func misbehave(
    _ mode: String, sandbox: SandboxRequest? = SandboxRequest(), library: String? = nil
  ) throws {
    _ = try load(library: library ?? FixtureBuilder.module(), sandbox: sandbox)
    let configure = Configure(
      contribution: ContributionName(.datasource, "misbehave"), process: "test",
      settings: Array(#"{"mode":"\#(mode)"}"#.utf8))
    perform(session.configure([configure]))
    try expect { if case .ready = $0 { true } else { nil } }
    perform(session.start())
  }

  /// One call of an action.
  func call(_ action: String, _ input: String) throws -> Result<[UInt8], WorkerError> {
    let invoke = Invoke(contribution: ContributionName(.action, action), input: Array(input.utf8))
    guard let call = session.invoke(invoke) else { throw NotRunning() }
    perform(call.actions)
    let result = try next { action -> Result<[UInt8], WorkerError>? in
      if case .finished(call.id, let result) = action { result } else { nil }
    }
    return try #require(result)
  }

  /// What an attempt inside the worker gave: 0, or an errno.
  func attempt(_ what: String) throws -> Int? {
    try JSONValue(parsing: call("probe", #"{"try":"\#(what)"}"#).get())["errno"]?.int
  }

  func expect(_ pick: (HostAction) -> Bool?) throws {
    try #require(try next(pick) == true)
  }
}
