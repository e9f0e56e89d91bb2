internal import AgentAssignment
package import AgentBots
internal import AgentJSON
internal import AgentStore
package import AgentTasks
package import AgentWorkerProtocol
internal import Synchronization

/// The service `tasks/1`. Through it, modules create tasks and act as bots. Each method is the
/// operation of the API with the same name, and makes the same checks.
///
/// A bot depends on the worker that registered it. When the worker has ended, the host sets the bot
/// offline and requeues its tasks.
package final class TaskService: HostService {
  private struct State {
    /// The built-in types that each module may use, by the module's name.
    var grants: [String: Set<String>] = [:]
    /// The open calls, by caller and number.
    var open: [ObjectIdentifier: [Int: Task<Void, Never>]] = [:]
    /// The turns of the processes that have calls, by the process's name. A process that is started
    /// again shares them with its predecessor, whose answers may still be in memory.
    var turns: [String: (turns: AnswerTurns, calls: Int)] = [:]
    /// The number of the latest call.
    var last = 0
    /// The caller that registered a bot last, by the bot's id.
    var bots: [String: ServiceCaller] = [:]
  }

  /// The maximum number of open calls of one worker. Further calls are refused.
  static let maxAtOnce = 1_000

  private let tasks: TaskEngine
  private let bots: TaskDispatcher
  private let state = Mutex(State())

  package init(tasks: TaskEngine, bots: TaskDispatcher) {
    (self.tasks, self.bots) = (tasks, bots)
  }

  /// Sets the built-in types that each module may use, by the module's name.
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
    let isTaken = state.withLock { state in
      let key = ObjectIdentifier(caller)
      guard state.open[key, default: [:]].count < Self.maxAtOnce else { return false }
      state.last += 1
      let number = state.last
      let request = request(of: caller, document, &state)
      // The task is stored under the lock. `ended` takes the same lock, so it can't run before the
      // task is stored.
      state.open[key, default: [:]][number] = Task {
        let result = await Self.result(of: asked, request)
        self.ended(number, of: key)
        done(result)
        // The turn ends after the worker's link has the answer. This limits the answers that wait
        // in the link.
        request.turn.end()
        self.left(caller.name)
      }
      return true
    }
    if isTaken { return }
    done(
      .failure(
        WorkerError(
          .overloaded, "\(Self.maxAtOnce) calls are in progress. Wait until some have ended.")))
  }

  /// Cancels the calls of a caller that has ended, and sets its bots offline.
  package func ended(_ caller: ServiceCaller) {
    let (calls, lost) = state.withLock { state in
      let lost = state.bots.filter { $0.value === caller }.map(\.key)
      for bot in lost { state.bots[bot] = nil }
      return (state.open.removeValue(forKey: ObjectIdentifier(caller)) ?? [:], lost)
    }
    for call in calls.values { call.cancel() }
    setOffline(lost)
  }

  /// Sets bots offline whose worker has ended.
  private func setOffline(_ lost: [String]) {
    guard !lost.isEmpty else { return }
    // In a task of its own, because that of the call is cancelled.
    Task {
      for bot in lost {
        // Decided on the writer's thread, because the next worker of the process may claim the same
        // bot in the meantime. It claims the bot before it writes, so that its own status is stored
        // later than this one.
        await bots.workerEnded(
          of: bot, while: { [self] in state.withLock { $0.bots[bot] == nil } })
      }
    }
  }

  private func ended(_ number: Int, of key: ObjectIdentifier) {
    state.withLock { state in
      state.open[key]?[number] = nil
      // Empty entries are removed, because the key is the address of the caller. A later caller may
      // get the same address.
      if state.open[key]?.isEmpty == true { state.open[key] = nil }
    }
  }

  /// Records that a call of a process needs its turns no more. The turns are kept until none does,
  /// because new ones would let as many answers begin again.
  private func left(_ process: String) {
    state.withLock { state in
      guard let (turns, calls) = state.turns[process] else { return }
      state.turns[process] = calls > 1 ? (turns, calls - 1) : nil
    }
  }

  /// The number of turns of a process that haven't ended.
  func runningTurns(of process: String) -> Int {
    state.withLock { $0.turns[process]?.turns.running ?? 0 }
  }

  /// Records that a bot depends on a caller, and sets it offline if the caller is gone.
  private func registered(_ bot: String, by caller: ServiceCaller) {
    let isLost = state.withLock { state in
      // The caller has ended during the registration, so `ended` hasn't found this bot.
      if caller.hasEnded { return true }
      state.bots[bot] = caller
      return false
    }
    if isLost { setOffline([bot]) }
  }

  private func request(
    of caller: ServiceCaller, _ document: JSONDocument, _ state: inout State
  ) -> TaskServiceRequest {
    let (turns, calls) = state.turns[caller.name] ?? (AnswerTurns(), 0)
    state.turns[caller.name] = (turns, calls + 1)
    return TaskServiceRequest(
      tasks: tasks, bots: bots, caller: caller.label,
      authority: .module(
        caller.module, granted: state.grants[caller.module] ?? [], as: caller.label),
      root: document.root, turn: AnswerTurn(turns)
    ) { [weak self] bot in
      self?.registered(bot, by: caller)
    } refused: { [weak self] bot in
      self?.state.withLock { state in
        if state.bots[bot] === caller { state.bots[bot] = nil }
      }
    }
  }

  // MARK: Answers

  private static func result(
    of method: TaskMethod, _ request: TaskServiceRequest
  ) async -> Result<[UInt8], WorkerError> {
    do {
      if method.isLarge { await request.turn.begin() }
      // The caller may have ended while the call waited.
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
  /// The name that is stored as the creator of the caller's tasks and bots: `process:NAME` or
  /// `module:NAME`.
  var label: String { name.hasPrefix("module:") ? name : "process:\(name)" }
}
