/// The host's events: publish, subscribe, query.
public struct Events: Sendable {
  let services: any HostServices

  /// Publishes one event. Returns when it has left this process; waits while the host gives no
  /// credit.
  public func publish(_ event: Event) async throws {
    try await services.publish([event])
  }

  /// Publishes several events in one call; cheaper than one by one.
  public func publish(_ events: [Event]) async throws {
    guard !events.isEmpty else { return }
    try await services.publish(events)
  }

  /// Publishes without waiting; throws `.overloaded` when that isn't possible.
  public func offer(_ events: [Event]) throws(ModuleError) {
    guard !events.isEmpty else { return }
    try services.offer(events)
  }

  /// Subscribes to the events that match a query: first those of the last `window`, then new ones.
  ///
  /// The host sends more as the loop takes batches: a batch counts as processed when the next one
  /// is requested. Leaving the loop ends the subscription.
  public func subscribe(
    _ query: String, window: Duration? = nil, capacity: Int? = nil,
    overflow: EventRequest.Overflow? = nil
  ) throws(ModuleError) -> EventSubscription {
    try services.subscribe(
      EventRequest(query, window: window, capacity: capacity, overflow: overflow))
  }

  /// Subscribes as a durable consumer. The host remembers, under this name and for this process,
  /// which events have been processed, and continues there after a crash of either side. Nothing is
  /// lost, however slow the loop is. Events that were delivered but not processed are delivered
  /// again. A batch counts as processed when the next one is requested.
  /// - Parameter start: where the consumer begins if the host doesn't know it yet.
  public func consume(
    _ query: String, as consumer: String, from start: EventRequest.Start = .newest,
    capacity: Int? = nil
  ) throws(ModuleError) -> EventSubscription {
    var request = EventRequest(query, capacity: capacity)
    request.consumer = consumer
    request.start = start
    return try services.subscribe(request)
  }

  /// Runs a query with pipes: first over the past that `span` covers, then over new events.
  ///
  /// ```swift
  /// for try await row in host.events.query(
  ///   "trade => count() by pair every minute", span: "last 5 minutes") { … }
  /// ```
  /// - Parameter span: such as `last 60 seconds`, `today`, `since 2026-11-01`, or `now` for new
  ///   events only.
  public func query(_ query: String, span: String) -> QueryRows {
    var request = EventRequest(query)
    request.span = span
    return QueryRows(messages: QueryMessages(services: services, request: request))
  }

  /// Runs a query that can continue where an earlier run of it stopped. After a crash, a reload or
  /// a restart no row is missing, and none is delivered twice.
  ///
  /// Store the newest mark, of ``QueryMessage/rows(_:)`` or ``QueryMessage/mark(_:)``, together
  /// with the results of the rows, in one transaction of the ``ProcessState``. A query without
  /// windows takes the events after the mark from the log; a query with windows reads back as far
  /// as its windows reach. A query that depends on all earlier events (`over all`, `at the end`,
  /// windows of items) has no marks, and begins with its span.
  /// - Parameters:
  ///   - span: the span of a query without marks.
  ///   - mark: the newest mark of the earlier run; nil for a query that begins now, with windows
  ///     that look back by their own length.
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
