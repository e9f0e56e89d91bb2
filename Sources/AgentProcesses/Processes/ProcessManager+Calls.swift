internal import AgentDiagnostics
package import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
package import AgentWorkerProtocol
package import AgentWorkers
internal import JSONSchema
internal import Synchronization

extension ProcessManager {
  /// Calls an action, a notifier, a strategy or a logic adapter of a module.
  /// - Parameters:
  ///   - timeout: the time limit. `nil` uses that of the settings.
  ///   - listener: receives parts and log records during the call, on any thread.
  /// - Throws: `notFound` if the module doesn't offer it, `invalid` if the input doesn't match its
  ///   schema, `deadlineExceeded`, or `failed` with the module's message.
  package func invoke(
    module name: String, kind: String, contribution: String, input: JSONValue,
    timeout: Duration? = nil, listener: CallListener = CallListener()
  ) async throws(HostError) -> JSONValue {
    let (module, offer) = try find(name, kind: kind, contribution: contribution)
    let metrics = InvocationMetrics(
      environment.metrics, module: name, contribution: contribution)
    return try await metrics.measured { () async throws(HostError) in
      try check(input, for: offer.contribution)
      return try await call(
        offer.contribution.wireName, of: module.manifest.name, input: input, timeout: timeout,
        listener: listener
      ) { error in
        switch error.code {
        case .invalidArgument: .invalid
        case .deadlineExceeded: .deadlineExceeded
        default: .failed
        }
      }
    }
  }

  /// Calls a contribution, in the host or in its service worker, which is started if necessary.
  /// - Parameters:
  ///   - process: a process of the module that is called instead if it runs.
  ///   - code: converts an error of the worker to the code for the caller.
  package func call(
    _ contribution: ContributionName, of module: String, in process: String? = nil,
    input: JSONValue, timeout: Duration? = nil, listener: CallListener = CallListener(),
    code: (WorkerError) -> HostError.Code
  ) async throws(HostError) -> JSONValue {
    try await environment.tracer.calling(module, contribution: contribution) {
      () async throws(HostError) in
      try await ask(
        contribution, of: module, in: process, input: input, timeout: timeout, listener: listener,
        code: code)
    }
  }

  private func ask(
    _ contribution: ContributionName, of module: String, in process: String?,
    input: JSONValue, timeout: Duration?, listener: CallListener,
    code: (WorkerError) -> HostError.Code
  ) async throws(HostError) -> JSONValue {
    let bytes = input.bytes()
    let timeout = timeout ?? .milliseconds(settings.supervision.invokeTimeoutMs)
    let deadline = Timestamp.now().adding(timeout.wholeMilliseconds)
    let (clock, begun) = (ContinuousClock(), ContinuousClock.now)
    // A module inside the host may end the whole process by this call. The record then names it as
    // the last step.
    environment.start.journal.enter("a call of \(module)/\(contribution.name)")
    let worker = process == nil ? state.withLock { $0.inProcess["module:\(module)"] } : nil
    let output: [UInt8]
    do {
      if let worker, worker.offers(contribution) {
        output = try await worker.invoke(
          contribution, input: bytes, deadline: deadline, timeout: timeout,
          listener: listener)
      } else {
        // A process isn't started for a call, because its pool or a person controls its start and
        // stop. A service worker exists only for calls.
        let link =
          if let process { try workingLink(of: process) } else {
            try await runningLink("module:\(module)", within: timeout)
          }
        // The start of the worker has used a part of the time.
        let rest = max(.zero, timeout - begun.duration(to: clock.now))
        output = try await link.invoke(
          contribution, input: bytes, deadline: deadline, timeout: rest, listener: listener)
      }
    } catch let error as WorkerError {
      // The message comes from the module and may quote a secret of its settings.
      throw HostError(code(error), settings.redactor.redact(error.description))
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError(.failed, "\(error)")
    }
    do {
      return try output.isEmpty ? .null : JSONDocument(parsing: output).root.value
    } catch {
      throw HostError(
        .failed, "\(module)/\(contribution.name) answered with text that isn't JSON: \(error)")
    }
  }

  private func find(
    _ name: String, kind: String, contribution: String
  ) throws(HostError) -> (ModuleSettings, ContributionSettings) {
    guard let module = settings.module(name) else {
      throw HostError(.notFound, "No module \"\(name)\" is enabled.")
    }
    let offer = module.contributions.first {
      $0.contribution.name == contribution && $0.contribution.kind != .route
        && ($0.contribution.kind.rawValue == kind || $0.contribution.kind.manifestKey == kind)
    }
    guard let offer else {
      throw HostError(.notFound, "The module \(name) has no \(kind) \"\(contribution)\".")
    }
    guard offer.isEnabled else {
      throw HostError(
        .conflict,
        "\(name)/\(contribution) isn't enabled: see modules.\(name) in the settings.")
    }
    return (module, offer)
  }

  /// Checks the input of an action. Returns a sentence for each problem.
  package func problems(with input: JSONValue, for action: String, of module: String) -> [String] {
    do {
      let (_, offer) = try find(module, kind: "action", contribution: action)
      try check(input.isNull ? [:] : input, for: offer.contribution)
      return []
    } catch {
      return [error.fullText]
    }
  }

  private func check(_ input: JSONValue, for contribution: Contribution) throws(HostError) {
    guard let schema = contribution.input else { return }
    do {
      let compiled = try Schema(schema, registry: SharedSchemas.registry)
      let document = JSONDocument(input)
      let failures = compiled.validate(document.root)
      guard failures.contains(where: { $0.severity == .error }) else { return }
      throw HostError(
        "The input isn't what \(contribution.name) takes", failures, of: compiled,
        for: document)
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError(.failed, "The input's schema can't be used: \(error)")
    }
  }

  /// Returns the link of a running process. It doesn't start the process.
  private func workingLink(of process: String) throws(WorkerError) -> WorkerLink {
    if let link = registry.linkAtWork(process) { return link }
    throw WorkerError(.closed, "The process \(process) isn't ready.")
  }

  /// Returns the link of a running service worker. It starts the worker if necessary, and waits for
  /// it no longer than the call may take.
  private func runningLink(
    _ name: String, within limit: Duration
  ) async throws(HostError) -> WorkerLink {
    guard state.withLock({ $0.planned[name] != nil }) else {
      let start = environment.start
      if start.safeMode != nil { throw start.refusedInSafeMode("No module runs") }
      if let reason = state.withLock({ $0.refused[name] }) {
        throw HostError(.failed, "\(name) can't be started. \(reason)")
      }
      throw HostError(.notReady, "The agent is still starting; try again in a moment.")
    }
    // The usual case needs no switch to the supervisor's thread.
    if let link = registry.linkAtWork(name) { return link }
    let status: ChildStatus
    do {
      // FAILED means that the supervisor has given up. A call doesn't change that, but a person
      // can, as the error says.
      if case .failed(let reason) = try await supervisor.status(name).state {
        throw HostError(
          .failed, "\(name) has FAILED. \(reason) Try again with \"agent process start \(name)\".")
      }
      try await supervisor.start(name)
      status = try await supervisor.settled(name, within: limit)
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError(.failed, "\(error)")
    }
    // The link is checked again before the state, because it is newer.
    if let link = registry.linkAtWork(name) { return link }
    if !status.state.isSettled {
      throw HostError(
        .deadlineExceeded,
        "\(name) wasn't ready in time: it is \(ProcessState(status.state).rawValue)."
          + (status.reason.map { " Its last exit: \($0)." } ?? ""))
    }
    throw HostError(.failed, "\(name) doesn't start. \(status.reason ?? "Its worker ended.")")
  }
}
