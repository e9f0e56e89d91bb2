internal import AgentLogging
internal import AgentStore

/// Repeats a step of the start that the database refuses for a passing reason: its disk is full or
/// can't be read now. A host that left the step out would be without that part until somebody
/// restarts it.
struct StoreRetry: Sendable {
  /// The pause before the next try.
  static let interval = Duration.seconds(1)
  /// The number of errors of one step that are logged. A disk that fails has only a few.
  private static let maxLogged = 10

  let log: LogHub
  /// Whether the host ends. The step isn't repeated then.
  let isEnding: @Sendable () -> Bool
  var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Runs `body` until it succeeds, and logs each different error once.
  /// - Parameters:
  ///   - problem: a sentence about the consequence, which is logged with the error.
  ///   - passes: whether an error passes by itself.
  ///   - note: called with each error before the pause.
  /// - Throws: errors that don't pass by themselves, and the last error when the host ends.
  func run<Value>(
    _ problem: String, while passes: (StoreError) -> Bool = \.mayPass,
    noting note: (StoreError) -> Void = { _ in }, _ body: () async throws -> Value
  ) async throws -> Value {
    var logged: Set<String> = []
    return try await run(while: passes) { error in
      note(error)
      // The cause isn't compared: the same error has one at the first try only.
      guard logged.count < Self.maxLogged, logged.insert(error.message).inserted else { return }
      log.log(.error, "\(problem) \(error) The host retries.")
    } _: {
      try await body()
    }
  }

  /// Runs `body` until it succeeds. It logs nothing.
  /// - Parameters:
  ///   - passes: whether an error passes by itself.
  ///   - note: called with each error before the pause.
  /// - Throws: errors that don't pass by themselves, and the last error when the host ends.
  func run<Value>(
    while passes: (StoreError) -> Bool, noting note: (StoreError) -> Void,
    _ body: () async throws -> Value
  ) async throws -> Value {
    while true {
      do {
        return try await body()
      } catch let error as StoreError where passes(error) && !isEnding() {
        note(error)
        try await pause(Self.interval)
        // Nobody waits for the step any more.
        if isEnding() { throw error }
      }
    }
  }
}
