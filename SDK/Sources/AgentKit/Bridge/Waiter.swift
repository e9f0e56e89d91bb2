internal import CAgentModule
internal import Synchronization

/// Waits in a task for a completion of the host. The completion or the cancellation of the task
/// resumes it, whichever comes first; the other is ignored.
final class Waiter: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<[UInt8], any Error>)
    case done(Result<[UInt8], any Error>)
  }

  private let state = Mutex(State.idle)

  /// A completion that keeps this waiter alive until it is called. The host calls it exactly once.
  /// If the host has rejected the request and will not call it, call ``forget(_:)``.
  func completion() -> agent_completion {
    agent_completion(ctx: Unmanaged.passRetained(self).toOpaque()) { ctx, status, bytes in
      guard let ctx else { return }
      let waiter = Unmanaged<Waiter>.fromOpaque(ctx).takeRetainedValue()
      if status == agent_status(AGENT_OK) {
        waiter.resolve(.success(copied(bytes)))
      } else {
        waiter.resolve(.failure(ModuleError(status: status, message: copiedText(bytes))))
      }
    }
  }

  /// Releases a completion that the host will not call.
  func forget(_ completion: agent_completion) {
    if let ctx = completion.ctx { Unmanaged<Waiter>.fromOpaque(ctx).release() }
  }

  /// The result, once there is one.
  func value() async throws -> [UInt8] {
    try await withTaskCancellationHandler {
      try await valueDespiteCancellation()
    } onCancel: {
      resolve(.failure(CancellationError()))
    }
  }

  /// The result, once there is one, even in a cancelled task.
  func valueDespiteCancellation() async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      let ready: Result<[UInt8], any Error>? = state.withLock { state in
        if case .done(let result) = state { return result }
        state = .waiting(continuation)
        return nil
      }
      if let ready { continuation.resume(with: ready) }
    }
  }

  private func resolve(_ result: Result<[UInt8], any Error>) {
    let waiting: CheckedContinuation<[UInt8], any Error>? = state.withLock { state in
      switch state {
      case .idle:
        state = .done(result)
        return nil
      case .waiting(let continuation):
        state = .done(result)
        return continuation
      case .done:
        return nil
      }
    }
    waiting?.resume(with: result)
  }
}
