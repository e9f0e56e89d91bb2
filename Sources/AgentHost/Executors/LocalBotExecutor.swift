internal import AgentJSON
internal import AgentModules
internal import AgentTasks
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Synchronization

/// Does the tasks of a bot that is a module's action: in the module's own worker, or in that of a
/// process.
struct LocalBotExecutor: TaskExecutor {
  let module: String
  let action: String
  /// In whose worker; nil for the module's own.
  let process: String?
  let host: @Sendable () -> HostApplication?

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    guard let host = host() else { throw BotLost("The host is stopping.") }
    let definition = work.definition
    let timeout = definition.timeouts.run.map { Duration.milliseconds($0) }
    do {
      let output = try await host.work(
        by: action, of: module, in: process,
        input: definition.input.isNull ? [:] : definition.input, timeout: timeout,
        listener: ActionExecutor.listener(for: work))
      return .succeeded(output)
    } catch let error as HostError {
      return .failed(error: error.fullText, isFinal: error.code == .invalid)
    }
  }
}

extension HostApplication {
  /// Calls an action for a bot.
  /// - Throws: ``BotLost`` where the worker isn't there, or ends during the call.
  func work(
    by action: String, of module: String, in process: String?, input: JSONValue,
    timeout: Duration?, listener: CallListener
  ) async throws -> JSONValue {
    let problems = problems(with: input, for: action, of: module)
    if !problems.isEmpty { throw HostError(.invalid, problems.joined(separator: " ")) }
    var isLost = false
    do {
      return try await call(
        ContributionName(.action, action), of: module, in: process, input: input,
        timeout: timeout, listener: listener
      ) { error in
        isLost = error.code == .closed
        return error.code == .invalidArgument ? .invalid : .failed
      }
    } catch {
      throw isLost ? BotLost(error.message) : error
    }
  }

  /// The link of a process that is at work; it isn't started for that.
  func workingLink(of process: String) throws(WorkerError) -> WorkerLink {
    for link in state.withLock({ $0.links[process] ?? [] }).reversed() where link.isAtWork {
      return link
    }
    throw WorkerError(.closed, "The process \(process) isn't ready.")
  }
}
