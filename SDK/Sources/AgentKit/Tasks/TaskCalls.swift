internal import Synchronization

/// Calls the service `tasks/1`.
struct TaskCalls: Sendable {
  let services: any HostServices

  /// Calls a method. Continues in a cancelled task, since a bot's last reports must arrive.
  func call(_ method: String, _ input: JSONObject) async throws -> JSONValue {
    let answer = try await services.call(
      "tasks/1", method: method, input: JSONValue.object(input).bytes())
    return try JSONDocument(parsing: answer).root.value
  }

  /// Calls a method that may take long. Returns early when the task is cancelled.
  func wait(_ method: String, _ input: JSONObject) async throws -> JSONValue {
    let answer = PendingAnswer()
    services.send("tasks/1", method: method, input: JSONValue.object(input).bytes()) { result in
      answer.resolve(result.mapError { $0 })
    }
    return try JSONDocument(parsing: try await answer.value()).root.value
  }
}

/// An answer that a task waits for, until it comes or the task is cancelled.
private final class PendingAnswer: Sendable {
  private struct State {
    var result: Result<[UInt8], any Error>?
    var waiter: CheckedContinuation<[UInt8], any Error>?
  }

  private let state = Mutex(State())

  func value() async throws -> [UInt8] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state in
          if state.result == nil { state.waiter = continuation }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      resolve(.failure(CancellationError()))
    }
  }

  /// Sets the answer. Only the first call counts.
  func resolve(_ result: Result<[UInt8], any Error>) {
    let waiter = state.withLock { state in
      guard state.result == nil else { return CheckedContinuation<[UInt8], any Error>?.none }
      state.result = result
      return state.waiter.take()
    }
    waiter?.resume(with: result)
  }
}

extension Duration {
  /// Whole milliseconds, limited to the hour that the host accepts.
  var hostMilliseconds: Int {
    let (seconds, attoseconds) = components
    let milliseconds = min(max(seconds, 0), 3_600) * 1_000 + attoseconds / 1_000_000_000_000_000
    return Int(min(max(milliseconds, 0), 3_600_000))
  }
}
