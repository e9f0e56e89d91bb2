/// What an ``AgentHost`` forwards to: the real host behind the C interface, or a test's.
public protocol HostServices: Sendable {
  /// Writes a log record. Never blocks.
  func log(_ level: LogLevel, _ message: String)
  /// Unix milliseconds.
  func now() -> Int64
  /// Waits; throws `CancellationError` when cancelled.
  func sleep(for duration: Duration) async throws
  /// Tells the supervisor that long work goes on.
  func heartbeat()
  /// Publishes events; returns when they have left, which is later when credit has run out.
  func publish(_ events: [Event]) async throws
  /// Publishes events if that is possible at once; otherwise throws `.overloaded`.
  func offer(_ events: [Event]) throws(ModuleError)
  /// Subscribes.
  func subscribe(_ request: EventRequest) throws(ModuleError) -> EventSubscription
  /// Asks for recent events.
  func query(_ request: EventRequest) async throws -> EventResults
  /// Asks a service, such as "state/1", by the name of a method; input and answer are JSON. Goes on
  /// in a task that was cancelled.
  func call(_ service: String, _ method: String, _ input: [UInt8]) async throws -> [UInt8]
  /// The same without waiting: what was sent earlier arrives earlier.
  /// - Parameter done: called once, from any thread, possibly before this returns.
  func send(
    _ service: String, _ method: String, _ input: [UInt8],
    done: @escaping @Sendable (Result<[UInt8], ModuleError>) -> Void)
}

extension HostServices {
  /// A host without such services.
  public func call(_ service: String, _ method: String, _ input: [UInt8]) async throws -> [UInt8] {
    throw ModuleError(.unsupported, "This host doesn't offer \(service).")
  }

  /// A host without such services.
  public func send(
    _ service: String, _ method: String, _ input: [UInt8],
    done: @escaping @Sendable (Result<[UInt8], ModuleError>) -> Void
  ) {
    done(.failure(ModuleError(.unsupported, "This host doesn't offer \(service).")))
  }
}

/// How much a log record matters; the numbers are those of `agent_level`.
public enum LogLevel: UInt32, Sendable, CaseIterable {
  /// Every step.
  case trace = 0
  /// What helps to find a fault.
  case debug
  /// What goes on.
  case info
  /// What is worth a look.
  case notice
  /// What may lead to a failure.
  case warning
  /// What failed.
  case error
  /// What needs a person at once.
  case critical
}
