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

  /// Subscribes as a durable consumer: the host remembers, under this name and for this process,
  /// what has been dealt with, and goes on there after a crash of either side. Nothing is lost,
  /// however slow the loop is; what was delivered and not dealt with comes again. A batch counts as
  /// dealt with when the next one is asked for.
  /// - Parameter start: where a consumer begins that the host doesn't know yet.
  public func consume(
    _ query: String, as consumer: String, from start: EventRequest.Start = .newest,
    capacity: Int? = nil
  ) throws(ModuleError) -> EventSubscription {
    var request = EventRequest(query, capacity: capacity)
    request.consumer = consumer
    request.start = start
    return try services.subscribe(request)
  }

  /// Runs a query with pipes, over the past that `span` asks for and then over what happens.
  ///
  /// ```swift
  /// for try await row in host.events.query(
  ///   "trade => count() by pair every minute", span: "last 5 minutes")
  /// { … }
  /// ```
  /// - Parameter span: such as `last 60 seconds`, `today`, `since 2026-11-01`, or `now` for what happens from
  ///   now on.
  public func query(_ query: String, span: String) -> QueryRows {
    var request = EventRequest(query)
    request.span = span
    return QueryRows(messages: QueryMessages(services: services, request: request))
  }

  /// Runs a query that can go on where an earlier run of it was: after a crash, a reload or a restart
  /// no row is missing, and none comes twice.
  ///
  /// Keep the newest mark, of ``QueryMessage/rows(_:)`` or ``QueryMessage/mark(_:)``, with what came
  /// of the rows, in one transaction of the ``ProcessState``. A query without windows takes the events
  /// behind the mark from the log; one with windows reads as far back as they reach. One that depends
  /// on all that it has seen (`over all`, `at the end`, windows of items) has no marks, and begins
  /// with its span.
  /// - Parameters:
  ///   - span: what a query without marks looks at.
  ///   - mark: the newest mark of the earlier run; nil for a query that begins now, its windows
  ///     looking back by their own length.
  public func query(_ query: String, span: String = "now", after mark: String?) -> QueryRows {
    var request = EventRequest(query)
    request.span = span
    request.after = mark ?? "now"
    return QueryRows(messages: QueryMessages(services: services, request: request))
  }

  /// Recent events that match a filter, oldest first.
  public func query(
    _ query: String, window: Duration? = nil, limit: Int? = nil
  ) async throws -> EventResults {
    try await services.query(EventRequest(query, window: window, limit: limit))
  }
}
