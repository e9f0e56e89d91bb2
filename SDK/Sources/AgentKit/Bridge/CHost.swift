internal import CAgentModule

/// The real host: forwards to the C struct for as long as the instance lives.
///
/// Rationale for `nonisolated(unsafe)`: the pointers are constant, the memory behind them belongs
/// to the host, and the interface allows every function here to be called from any thread until
/// `destroy` returns. The `HostGate` enforces that.
final class CHost: HostServices {
  private nonisolated(unsafe) let host: UnsafePointer<agent_host_v1>
  private nonisolated(unsafe) let events: UnsafePointer<agent_events_v1>?
  private nonisolated(unsafe) let liveness: UnsafePointer<agent_liveness_v1>?
  private let handle = HostHandle()

  init(_ host: UnsafePointer<agent_host_v1>) {
    self.host = host
    self.events = host.extension(AGENT_EVENTS_V1, as: agent_events_v1.self)
    self.liveness = host.extension(AGENT_LIVENESS_V1, as: agent_liveness_v1.self)
  }

  /// Ends the use of the host: no function of it is called once this has returned.
  func close() {
    handle.close()
  }

  func log(_ level: LogLevel, _ message: String) {
    if let call = CallSink.current, call.log(level, message) { return }
    handle.pass(otherwise: ()) {
      lending(message) { host.pointee.log?(host.pointee.ctx, level.rawValue, $0) }
    }
  }

  func now() -> Int64 {
    handle.pass(otherwise: 0) { host.pointee.now?(host.pointee.ctx) ?? 0 }
  }

  func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }

  func heartbeat() {
    guard let liveness else { return }
    handle.pass(otherwise: ()) { liveness.pointee.heartbeat?(liveness.pointee.ctx) }
  }

  /// Publishes in pieces, so that no publication waits for more credit than a host gives at a time.
  func publish(_ events: [Event]) async throws {
    let table = try eventsTable()
    for first in stride(from: 0, to: events.count, by: Self.piece) {
      try await publish(piece: events[first..<min(first + Self.piece, events.count)], table)
    }
  }

  private static let piece = 64

  private func publish(piece: ArraySlice<Event>, _ table: EventsTable) async throws {
    let bytes = EventBatch.bytes(of: piece)
    let waiter = Waiter()
    let accepted = waiter.completion()
    let status = handle.pass(otherwise: agent_status(AGENT_CLOSED)) {
      lending(bytes) { table.publish($0, accepted) }
    }
    guard status == agent_status(AGENT_OK) else {
      waiter.forget(accepted)
      throw ModuleError(status: status, publishing: piece.count)
    }
    _ = try await waiter.value()
  }

  func offer(_ events: [Event]) throws(ModuleError) {
    let table = try eventsTable()
    let bytes = EventBatch.bytes(of: events)
    let status = handle.pass(otherwise: agent_status(AGENT_CLOSED)) {
      lending(bytes) { table.publish($0, agent_completion(ctx: nil, call: nil)) }
    }
    guard status == agent_status(AGENT_OK) else {
      throw ModuleError(status: status, publishing: events.count)
    }
  }

  func subscribe(_ request: EventRequest) throws(ModuleError) -> EventSubscription {
    let table = try eventsTable()
    let (batches, continuation) = AsyncThrowingStream.makeStream(of: EventBatch.self)
    let subscriber = Subscriber(continuation)
    var id: UInt64 = 0
    let status = handle.pass(otherwise: agent_status(AGENT_CLOSED)) {
      lending(request.json.bytes()) {
        table.subscribe($0, subscriber: subscriber.borrowed(), id: &id)
      }
    }
    guard status == agent_status(AGENT_OK) else {
      subscriber.returnCredit()
      throw ModuleError(status: status, message: "The host refused \"\(request.query)\".")
    }
    let subscription = id
    continuation.onTermination = { [self] _ in
      handle.pass(otherwise: ()) { table.unsubscribe(subscription) }
    }
    return EventSubscription(batches: batches) { [self] count in
      handle.pass(otherwise: ()) { table.acknowledge(subscription, UInt32(clamping: count)) }
    }
  }

  func query(_ request: EventRequest) async throws -> EventResults {
    let table = try eventsTable()
    let waiter = Waiter()
    let done = waiter.completion()
    let asked = handle.pass(otherwise: false) {
      lending(request.json.bytes()) { table.query($0, done) }
    }
    guard asked else {
      waiter.forget(done)
      throw ModuleError(.closed, "The host is gone.")
    }
    return try EventResults(JSONDocument(parsing: try await waiter.value()).root)
  }

  func call(_ service: String, method: String, input: [UInt8]) async throws -> [UInt8] {
    let waiter = Waiter()
    let done = waiter.completion()
    if let refusal = ask(service, method: method, input: input, done: done) {
      waiter.forget(done)
      throw refusal
    }
    return try await waiter.valueDespiteCancellation()
  }

  func send(
    _ service: String, method: String, input: [UInt8],
    done: @escaping @Sendable (Result<[UInt8], ModuleError>) -> Void
  ) {
    let receiver = Receiver(done)
    if let refusal = ask(service, method: method, input: input, done: receiver.completion()) {
      receiver.forget()
      done(.failure(refusal))
    }
  }

  /// Calls a service. Returns an error if the call wasn't made; otherwise `done` is called.
  private func ask(
    _ service: String, method: String, input: [UInt8], done: agent_completion
  ) -> ModuleError? {
    let outcome = handle.pass(otherwise: agent_status(AGENT_CLOSED)) { () -> agent_status in
      let table = host.extension(service, as: agent_service_v1.self)
      guard let table, let call = table.pointee.call else { return agent_status(AGENT_UNSUPPORTED) }
      lending(method) { method in
        lending(input) { input in
          if let trace = CallTrace.traceparent, let traced = Self.traced(table) {
            lending(trace) { traced(table.pointee.ctx, method, input, $0, done) }
          } else {
            call(table.pointee.ctx, method, input, done)
          }
        }
      }
      return agent_status(AGENT_OK)
    }
    if outcome == agent_status(AGENT_OK) { return nil }
    return outcome == agent_status(AGENT_CLOSED)
      ? ModuleError(.closed, "The host is gone.")
      : ModuleError(.unsupported, "This host doesn't offer \(service).")
  }

  private typealias Traced =
    @convention(c) (
      UnsafeMutableRawPointer?, agent_bytes, agent_bytes, agent_bytes, agent_completion
    ) -> Void

  /// An older host's table has no such function.
  private static func traced(_ table: UnsafePointer<agent_service_v1>) -> Traced? {
    let offset = MemoryLayout<agent_service_v1>.offset(of: \.call_traced) ?? .max
    let isThere = Int(table.pointee.size) >= offset + MemoryLayout<Traced?>.size
    return isThere ? table.pointee.call_traced : nil
  }

  private func eventsTable() throws(ModuleError) -> EventsTable {
    guard let events else {
      throw ModuleError(.unsupported, "This host doesn't offer \(AGENT_EVENTS_V1).")
    }
    return EventsTable(pointer: events)
  }
}

/// The functions of "events/1".
///
/// Rationale for `@unchecked`: a constant table whose functions may be called from any thread.
private struct EventsTable: @unchecked Sendable {
  let pointer: UnsafePointer<agent_events_v1>

  func publish(_ bytes: agent_bytes, _ accepted: agent_completion) -> agent_status {
    pointer.pointee.publish?(pointer.pointee.ctx, bytes, accepted)
      ?? agent_status(AGENT_UNSUPPORTED)
  }

  func subscribe(
    _ request: agent_bytes, subscriber: UnsafePointer<agent_subscriber_v1>, id: inout UInt64
  ) -> agent_status {
    pointer.pointee.subscribe?(pointer.pointee.ctx, request, subscriber, &id)
      ?? agent_status(AGENT_UNSUPPORTED)
  }

  func acknowledge(_ id: UInt64, _ count: UInt32) {
    pointer.pointee.acknowledge?(pointer.pointee.ctx, id, count)
  }

  func unsubscribe(_ id: UInt64) {
    pointer.pointee.unsubscribe?(pointer.pointee.ctx, id)
  }

  /// Starts a query; false when the host has no such function.
  func query(_ request: agent_bytes, _ done: agent_completion) -> Bool {
    guard let query = pointer.pointee.query else { return false }
    query(pointer.pointee.ctx, request, done)
    return true
  }
}

extension UnsafePointer<agent_host_v1> {
  /// An extension, if the host offers it with at least the fields that this SDK knows.
  fileprivate func `extension`<T>(_ id: String, as type: T.Type) -> UnsafePointer<T>? {
    guard let found = pointee.get_extension?(pointee.ctx, id) else { return nil }
    guard found.load(as: UInt32.self) >= MemoryLayout<T>.size else { return nil }
    return found.assumingMemoryBound(to: type)
  }
}

extension ModuleError {
  fileprivate init(status: agent_status, publishing count: Int) {
    let events = count == 1 ? "an event" : "\(count) events"
    switch status {
    case agent_status(AGENT_OVERLOADED):
      self.init(.overloaded, "The host has no room for \(events) now.")
    case agent_status(AGENT_CLOSED):
      self.init(.closed, "The host is stopping; \(events) could not be published.")
    default:
      self.init(status: status, message: "The host refused \(events).")
    }
  }
}
