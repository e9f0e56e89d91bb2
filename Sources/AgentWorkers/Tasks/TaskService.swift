internal import AgentAssignment
package import AgentBots
internal import AgentJSON
internal import AgentStore
package import AgentTasks
package import AgentWorkerProtocol
internal import Synchronization

/// `tasks/1`: what modules want done, and what they do as bots. Each method is an operation of the
/// API under the same name, and goes the same way from here on.
///
/// A bot that a worker has registered counts on that worker: when it is gone the bot is offline, and
/// what it had is queued again.
package final class TaskService: HostService {
  private struct State {
    /// The built-in types that modules were granted, by the module's name.
    var grants: [String: Set<String>] = [:]
    /// What is being answered, by who asked and a number.
    var open: [ObjectIdentifier: [Int: Task<Void, Never>]] = [:]
    var last = 0
    /// Who has registered a bot last, by its id.
    var bots: [String: ServiceCaller] = [:]
  }

  /// So many calls of one worker are answered at once; more are refused.
  static let mostAtOnce = 1_000

  private let tasks: TaskEngine
  private let bots: TaskDispatcher
  private let state = Mutex(State())

  package init(tasks: TaskEngine, bots: TaskDispatcher) {
    (self.tasks, self.bots) = (tasks, bots)
  }

  /// Goes by these settings from now on.
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
    let visit = visit(of: caller, document)
    let isTaken = state.withLock { state in
      let key = ObjectIdentifier(caller)
      guard state.open[key, default: [:]].count < Self.mostAtOnce else { return false }
      state.last += 1
      let number = state.last
      // The end waits for the lock, so it finds what is put here.
      state.open[key, default: [:]][number] = Task {
        let result = await Self.result(of: asked, visit)
        self.ended(number, of: key)
        done(result)
      }
      return true
    }
    if isTaken { return }
    done(
      .failure(
        WorkerError(
          .overloaded, "\(Self.mostAtOnce) calls are in progress. Wait until some have ended.")))
  }

  /// Who asked is gone: what it waits for is given up, and its bots are offline.
  package func ended(_ caller: ServiceCaller) {
    let (calls, lost) = state.withLock { state in
      let lost = state.bots.filter { $0.value === caller }.map(\.key)
      for bot in lost { state.bots[bot] = nil }
      return (state.open.removeValue(forKey: ObjectIdentifier(caller)) ?? [:], lost)
    }
    for call in calls.values { call.cancel() }
    guard !lost.isEmpty else { return }
    Task {
      for bot in lost where state.withLock({ $0.bots[bot] == nil }) {
        _ = try? await bots.say(bot, .offline, by: .unrestricted(as: nil))
      }
    }
  }

  private func ended(_ number: Int, of key: ObjectIdentifier) {
    state.withLock { state in
      state.open[key]?[number] = nil
      if state.open[key]?.isEmpty == true { state.open[key] = nil }
    }
  }

  private func visit(of caller: ServiceCaller, _ document: JSONDocument) -> TaskVisit {
    let granted = state.withLock { $0.grants[caller.module] ?? [] }
    return TaskVisit(
      tasks: tasks, bots: bots, caller: caller.label,
      authority: .module(caller.module, granted: granted, as: caller.label), root: document.root
    ) { [weak self] bot in
      self?.state.withLock { $0.bots[bot] = caller }
    }
  }

  // MARK: Answers

  private static func result(
    of method: TaskMethod, _ visit: TaskVisit
  ) async -> Result<[UInt8], WorkerError> {
    do {
      return .success(try await method.answer(visit).bytes())
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
  /// As who it stands in what it has created: `process:NAME` or `module:NAME`.
  var label: String { name.hasPrefix("module:") ? name : "process:\(name)" }
}
