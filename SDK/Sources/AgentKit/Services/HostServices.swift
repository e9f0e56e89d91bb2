/// The services behind an ``AgentHost``: the real host behind the C interface, or a test's.
public protocol HostServices: Sendable {
  /// Writes a log record. Never blocks.
  func log(_ level: LogLevel, _ message: String)
  /// Unix milliseconds.
  func now() -> Int64
  /// Waits; throws `CancellationError` when cancelled.
  func sleep(for duration: Duration) async throws
  /// Tells the supervisor that a long computation is running and not stuck.
  func heartbeat()
  /// Publishes events; returns when they have left the process, which takes longer without credit.
  func publish(_ events: [Event]) async throws
  /// Publishes events without waiting; throws `.overloaded` when that isn't possible.
  func offer(_ events: [Event]) throws(ModuleError)
  /// Subscribes.
  func subscribe(_ request: EventRequest) throws(ModuleError) -> EventSubscription
  /// Asks for recent events.
  func query(_ request: EventRequest) async throws -> EventResults
  /// Calls a method of a service, such as "state/1"; input and answer are JSON. Continues in a task
  /// that was cancelled.
  func call(_ service: String, method: String, input: [UInt8]) async throws -> [UInt8]
  /// Calls a method without waiting. Calls arrive in the order in which they are sent.
  /// - Parameter done: called once, from any thread, possibly before this returns.
  func send(
    _ service: String, method: String, input: [UInt8],
    done: @escaping @Sendable (Result<[UInt8], ModuleError>) -> Void)
}

extension HostServices {
  /// A host without such services.
  public func call(_ service: String, method: String, input: [UInt8]) async throws -> [UInt8] {
    throw ModuleError(.unsupported, "This host doesn't offer \(service).")
  }

  /// A host without such services.
  public func send(
    _ service: String, method: String, input: [UInt8],
    done: @escaping @Sendable (Result<[UInt8], ModuleError>) -> Void
  ) {
    done(.failure(ModuleError(.unsupported, "This host doesn't offer \(service).")))
  }
}

/// How important a log record is; the numbers are those of `agent_level`.
public enum LogLevel: UInt32, Sendable, CaseIterable {
  /// Single steps.
  case trace = 0
  /// Details for finding a fault.
  case debug
  /// Normal operation.
  case info
  /// A normal but notable event.
  case notice
  /// A condition that may lead to a failure.
  case warning
  /// A failure.
  case error
  /// A failure that a person must handle at once.
  case critical
}
