/// The host as a contribution sees it: a log, a clock, events. Valid from `init` until the
/// contribution is destroyed; what is asked of it afterwards fails or does nothing.
///
/// It is not called `Host` because Foundation has a type of that name.
public struct AgentHost: Sendable {
  private let services: any HostServices

  /// Publish events, subscribe to queries, ask for recent events.
  public let events: Events

  /// Makes a host from what stands behind it; tests use `TestHost` instead.
  public init(_ services: any HostServices) {
    self.services = services
    self.events = Events(services: services)
  }

  /// Writes a log record under the name of this process. Never blocks; any thread.
  public func log(_ level: LogLevel = .info, _ message: @autoclosure () -> String) {
    services.log(level, message())
  }

  /// Unix milliseconds from the host's clock, which a test may set.
  public var now: Int64 { services.now() }

  /// Waits. Throws `CancellationError` as soon as the host asks for the end. A test's clock decides
  /// how long it takes, so prefer this to `Task.sleep`.
  public func sleep(for duration: Duration) async throws {
    try await services.sleep(for: duration)
  }

  /// Tells the supervisor that a long computation is at work and not stuck. Cheap; call it every
  /// second or so while you keep a thread busy.
  public func heartbeat() {
    services.heartbeat()
  }
}

/// The host's events: publish, subscribe, query.
public struct Events: Sendable {
  let services: any HostServices

  /// Publishes one event. Returns when it has left this process; waits while the host has no room.
  public func publish(_ event: Event) async throws {
    try await services.publish([event])
  }

  /// Publishes several events in one go; cheaper than one by one.
  public func publish(_ events: [Event]) async throws {
    guard !events.isEmpty else { return }
    try await services.publish(events)
  }

  /// Publishes if that is possible at once; throws `.overloaded` when it isn't.
  public func offer(_ events: [Event]) throws(ModuleError) {
    guard !events.isEmpty else { return }
    try services.offer(events)
  }

  /// Subscribes to what matches a query: first the events of the last `window`, then new ones.
  ///
  /// The host sends more as the loop takes batches: a batch counts as dealt with when the next one
  /// is asked for. Leaving the loop ends the subscription.
  public func subscribe(
    _ query: String, window: Duration? = nil, capacity: Int? = nil,
    overflow: EventRequest.Overflow? = nil
  ) throws(ModuleError) -> EventSubscription {
    try services.subscribe(
      EventRequest(query, window: window, capacity: capacity, overflow: overflow))
  }

  /// Recent events that match a query, oldest first.
  public func query(
    _ query: String, window: Duration? = nil, limit: Int? = nil
  ) async throws -> EventResults {
    try await services.query(EventRequest(query, window: window, limit: limit))
  }
}
