internal import AgentJSON
internal import AgentProcesses
internal import AgentTasks
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Synchronization

/// Runs the tasks of a local bot: a module's action, in the module's service worker or in the
/// worker of a process.
struct LocalBotExecutor: TaskExecutor {
  let module: String
  let action: String
  /// The process whose worker runs the action; nil for the module's service worker.
  let process: String?
  let processes: @Sendable () -> ProcessManager?

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    guard let processes = processes() else { throw BotLost("The host is stopping.") }
    let definition = work.definition
    let timeout = definition.timeouts.run.map { Duration.milliseconds($0) }
    do {
      let output = try await processes.work(
        by: action, of: module, in: process,
        input: definition.input.isNull ? [:] : definition.input, timeout: timeout,
        listener: ActionExecutor.listener(for: work))
      return .succeeded(output)
    } catch let error as HostError {
      return .failed(error: error.fullText, isFinal: error.code == .invalid)
    }
  }
}

extension ProcessManager {
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
        // The worker ended under the call. That is no failure of the task, so it is queued again
        // without one.
        isLost = error.code == .closed
        return error.code == .invalidArgument ? .invalid : .failed
      }
    } catch {
      throw isLost ? BotLost(error.message) : error
    }
  }
}
