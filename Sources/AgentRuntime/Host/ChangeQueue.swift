internal import AgentTraces

/// Lets changes of the settings and reloads happen one after the other.
actor ChangeQueue {
  private var last: Task<Void, Never>?

  /// Runs a change once those before it are done.
  func run<Value: Sendable>(
    _ change: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let before = last
    // Rationale: apart from the trace of who asked for it. What a change starts, such as a port,
    // lives on, and what it does then is no part of that request.
    let task = Tracer.$current.withValue(nil) {
      Task {
        await before?.value
        return try await change()
      }
    }
    last = Task { _ = await task.result }
    return try await task.value
  }
}
