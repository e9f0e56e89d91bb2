internal import AgentAssignment
package import AgentBots
internal import AgentJSON
internal import AgentStore
package import AgentTasks
package import AgentWorkerProtocol
internal import Synchronization

/// `tasks/1`: modules create tasks and are bots. Each method is an operation of the API under the
/// same name, with the same checks.
///
/// A bot depends on the worker that registered it. When the worker is gone the bot is offline, and
/// its tasks are queued again.
package final class TaskService: HostService {
  private struct State {
    /// The built-in types that modules were granted, by the module's name.
    var grants: [String: Set<String>] = [:]
    /// The calls under way, by caller and number.
    var open: [ObjectIdentifier: [Int: Task<Void, Never>]] = [:]
    /// The turns of the callers that have calls under way.
    var turns: [ObjectIdentifier: AnswerTurns] = [:]
    var last = 0
    /// The caller that has registered a bot last, by the bot's id.
    var bots: [String: ServiceCaller] = [:]
  }

  /// The most calls of one worker at a time; more are refused.
  static let maxAtOnce = 1_000

  private let tasks: TaskEngine
  private let bots: TaskDispatcher
  private let state = Mutex(State())

  package init(tasks: TaskEngine, bots: TaskDispatcher) {
    (self.tasks, self.bots) = (tasks, bots)
  }

  /// Sets the built-in types that each module may use.
  package func grant(_ types: [String: Set<String>]) { state.withLock { $0.grants = types } }

  package func call(
    _ method: String, _ input: [UInt8], from caller: ServiceCaller,
    done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
  ) {
    let (asked, document): (TaskMethod, JSONDocument)
    do throws(WorkerError) {
      (asked, document) = try TaskMethod.read(method, input)
    } catch {
      return done(.failure(error))
    }
    let request = request(of: caller, document)
    let isTaken = state.withLock { state in
      let key = ObjectIdentifier(caller)
      guard state.open[key, default: [:]].count < Self.maxAtOnce else { return false }
      state.last += 1
      let number = state.last
      // The end waits for the lock, so it finds what is put here.
      state.open[key, default: [:]][number] = Task {
        let result = await Self.result(of: asked, request)
        self.ended(number, of: key)
        done(result)
        // Not before the worker's link has the answer, which bounds what waits there.
        request.turn.end()
      }
      return true
    }
    if isTaken { return }
    done(
      .failure(
        WorkerError(
          .overloaded, "\(Self.maxAtOnce) calls are in progress. Wait until some have ended.")))
  }

  /// The caller is gone: its calls are cancelled, and its bots are set offline.
  package func ended(_ caller: ServiceCaller) {
    let (calls, lost) = state.withLock { state in
      let lost = state.bots.filter { $0.value === caller }.map(\.key)
      for bot in lost { state.bots[bot] = nil }
      state.turns[ObjectIdentifier(caller)] = nil
      return (state.open.removeValue(forKey: ObjectIdentifier(caller)) ?? [:], lost)
    }
    for call in calls.values { call.cancel() }
    guard !lost.isEmpty else { return }
    Task {
      // Looked at again: the next worker of the process may have registered the same bot
      // meanwhile.
      for bot in lost where state.withLock({ $0.bots[bot] == nil }) {
        _ = try? await bots.say(bot, .offline, by: .unrestricted(as: nil))
      }
    }
  }

  private func ended(_ number: Int, of key: ObjectIdentifier) {
    state.withLock { state in
      state.open[key]?[number] = nil
      // The key is the object's address, which a later caller may get.
      if state.open[key]?.isEmpty == true { (state.open[key], state.turns[key]) = (nil, nil) }
    }
  }

  private func request(of caller: ServiceCaller, _ document: JSONDocument) -> TaskServiceRequest {
    let (granted, turns) = state.withLock { state in
      let key = ObjectIdentifier(caller)
      let turns = state.turns[key] ?? AnswerTurns()
      state.turns[key] = turns
      return (state.grants[caller.module] ?? [], turns)
    }
    return TaskServiceRequest(
      tasks: tasks, bots: bots, caller: caller.label,
      authority: .module(caller.module, granted: granted, as: caller.label), root: document.root,
      turn: AnswerTurn(turns)
    ) { [weak self] bot in
      self?.state.withLock { $0.bots[bot] = caller }
    }
  }

  // MARK: Answers

  private static func result(
    of method: TaskMethod, _ request: TaskServiceRequest
  ) async -> Result<[UInt8], WorkerError> {
    do {
      if method.isLarge { await request.turn.begin() }
      // Its caller may have gone while it waited.
      try Task.checkCancellation()
      return .success(try await method.answer(request).bytes())
    } catch {
      return .failure(Self.error(error))
    }
  }

  private static func error(_ error: any Error) -> WorkerError {
    switch error {
    case let error as WorkerError: return error
    case is CancellationError: return WorkerError(.cancelled, "The caller is gone.")
    case let error as TaskError:
      let code: StatusCode =
        switch error.code {
        case .missing, .invalid: .invalidArgument
        case .forbidden: .unsupported
        case .conflict, .staleLease: .conflict
        case .notReady: .closed
        case .timedOut: .deadlineExceeded
        }
      return WorkerError(code, error.message)
    case let error as StoreError: return WorkerError(.failed, error.message, cause: error.cause)
    default: return WorkerError(.failed, "\(error)")
    }
  }
}

extension ServiceCaller {
  /// The caller's name in what it creates: `process:NAME` or `module:NAME`.
  var label: String { name.hasPrefix("module:") ? name : "process:\(name)" }
}
