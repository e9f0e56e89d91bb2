internal import AgentLogging
internal import AgentStore

/// Repeats a step of the start that the database refuses for a passing reason: its disk is full or
/// can't be read now. A host that left the step out would be without that part until somebody
/// restarts it.
struct StoreRetry: Sendable {
  /// The pause before the next try.
  static let interval = Duration.seconds(1)

  let log: LogHub
  /// Whether the host ends. The step isn't repeated then.
  let isEnding: @Sendable () -> Bool
  var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Runs `body` until it succeeds.
  /// - Parameter problem: a sentence about the consequence, which is logged once with the error.
  /// - Throws: errors that don't pass by themselves, and the last error when the host ends.
  func run(_ problem: String, _ body: () async throws -> Void) async throws {
    var isLogged = false
    while true {
      do {
        return try await body()
      } catch let error as StoreError where error.mayPass && !isEnding() {
        if !isLogged { log.log(.error, "\(problem) \(error) The host retries.") }
        isLogged = true
      }
      try await pause(Self.interval)
    }
  }
}

extension StoreError {
  /// Whether the same call may succeed later without any change of the file by a person.
  fileprivate var mayPass: Bool {
    switch code {
    // A group fails because of the disk, too.
    case .full, .fault, .group: true
    case .corrupt, .locked, .unusable, .newer, .closed, .invalid, .missing, .conflict: false
    }
  }
}
