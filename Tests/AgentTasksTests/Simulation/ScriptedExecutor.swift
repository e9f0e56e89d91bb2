import AgentJSON
import AgentStore
import AgentTasks
import Synchronization

/// Does tasks as the simulation says.
final class ScriptedExecutor: AgentTasks.TaskExecutor {
  struct Attempt: Hashable {
    let task: Int64
    let number: Int64
  }

  struct Cancelled: Error {}

  private struct Work {
    var continuation: CheckedContinuation<Result<TaskOutcome, any Error>, Never>?
    var progress: @Sendable (Int) -> Void
    var isCancelled = false
  }

  private struct State {
    var works: [Attempt: Work] = [:]
    var given: [Attempt: TaskOutcome] = [:]
    var twice: [Attempt] = []
  }

  private let state = Mutex(State())

  /// What is being done, in order.
  var attempts: [Attempt] {
    state.withLock { $0.works.keys.sorted { ($0.task, $0.number) < ($1.task, $1.number) } }
  }

  /// Attempts that were begun more than once.
  var begunTwice: [Attempt] { state.withLock { $0.twice } }

  func isCancelled(_ attempt: Attempt) -> Bool {
    state.withLock { $0.works[attempt]?.isCancelled ?? false }
  }

  /// How an attempt has ended, as it was told to the engine.
  func outcome(of attempt: Attempt) -> TaskOutcome? { state.withLock { $0.given[attempt] } }

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    let attempt = Attempt(task: work.task.id, number: work.task.attempt)
    // This one doesn't react to a request to stop.
    let isDeaf = work.task.name.hasSuffix("deaf")
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          if state.works[attempt] != nil || state.given[attempt] != nil {
            state.twice.append(attempt)
          }
          state.works[attempt] = Work(
            continuation: continuation, progress: { work.progress(["step": JSONValue($0)]) })
        }
        if Task.isCancelled { cancel(attempt, isDeaf) }
      }
    } onCancel: {
      cancel(attempt, isDeaf)
    }
    return try result.get()
  }

  private func cancel(_ attempt: Attempt, _ isDeaf: Bool) {
    state.withLock { $0.works[attempt]?.isCancelled = true }
    if !isDeaf { end(attempt, .failure(CancellationError())) }
  }

  func progress(_ attempt: Attempt, _ step: Int) {
    state.withLock { $0.works[attempt]?.progress }?(step)
  }

  /// Ends an attempt.
  func end(_ attempt: Attempt, _ result: Result<TaskOutcome, any Error>) {
    let work = state.withLock { state -> Work? in
      guard let work = state.works.removeValue(forKey: attempt) else { return nil }
      switch result {
      case .success(let outcome): state.given[attempt] = outcome
      case .failure(is CancellationError): state.given[attempt] = .cancelled()
      case .failure(let error): state.given[attempt] = .failed(error: "\(error)")
      }
      return work
    }
    work?.continuation?.resume(returning: result)
  }
}
