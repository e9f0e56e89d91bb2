internal import AgentEvents
internal import AgentJSON
internal import AgentModuleLoader
internal import AgentSystem
internal import AgentWorkerProtocol
internal import AgentWorkerProtocol
internal import Synchronization

/// The services of the host for a module that runs inside it: the bus itself, without frames in
/// between. The module may call from any thread.
final class InProcessServices: HostServices {
  private struct Subscription {
    let subscriber: EventSubscriber
    var source: (any EventSource)?
    /// The events that may be handed over before the module acknowledges some.
    var credit: Int
  }

  private struct State {
    var subscriptions: [UInt64: Subscription] = [:]
    var next: UInt64 = 1
    /// A new one at each start, as each worker process has its own.
    var caller: ServiceCaller
  }

  private static let window = 256
  private let name: String
  private let services: WorkerServices
  private let thread: ModuleThread
  private let module: String
  private let state: Mutex<State>

  init(name: String, module: String, services: WorkerServices, thread: ModuleThread) {
    self.name = name
    self.module = module
    self.services = services
    self.thread = thread
    state = Mutex(State(caller: ServiceCaller(name, module: module)))
  }

  func log(level: UInt32, message: String) {
    services.log(
      WorkerLogRecord(
        process: name, level: WireLevel(rawValue: level) ?? .info, message: message))
  }

  func now() -> Int64 { Timestamp.now() }
  func heartbeat() {}

  func publish(
    events: [UInt8], accepted: (@Sendable (ModuleStatus, String) -> Void)?
  ) -> ModuleStatus {
    do {
      let root = try JSONDocument(parsing: events).root
      let elements = root.kind == .array ? Array(root.elements) : [root]
      let objects = elements.compactMap { $0.value.object }
      // All or none: a module gets one status for the call.
      guard objects.count == elements.count else { return .invalidArgument }
      try services.publish(objects, of: name) { _ in accepted?(.ok, "") }
    } catch {
      log(level: 5, message: "Events were refused: \(error)")
      return .invalidArgument
    }
    return .ok
  }

  func subscribe(
    request: [UInt8], subscriber: EventSubscriber
  ) -> Result<UInt64, ModuleFailure> {
    // Registered before the source is opened, which may announce events at once.
    let id = state.withLock { state in
      let id = state.next
      state.next += 1
      state.subscriptions[id] = Subscription(
        subscriber: subscriber, source: nil, credit: Self.window)
      return id
    }
    do {
      let request = try Subscribe(json: request)
      let source = try services.source(of: request, for: name) { [weak self] in self?.pump(id) }
      state.withLock { $0.subscriptions[id]?.source = source }
    } catch {
      state.withLock { $0.subscriptions[id] = nil }
      return .failure(ModuleFailure(.invalidArgument, "\(error)"))
    }
    // An announcement that came before the source was in the table found nothing to take from.
    pump(id)
    return .success(id)
  }

  func acknowledge(subscription: UInt64, count: UInt32) {
    let source = state.withLock { state in
      state.subscriptions[subscription]?.credit += Int(count)
      return state.subscriptions[subscription]?.source
    }
    // Outside of the lock: a durable consumer stores its position, and takes locks of its own.
    source?.dealtWith(Int(count))
    pump(subscription)
  }

  func unsubscribe(subscription: UInt64) { end(subscription, status: .ok, message: "") }

  func query(request: [UInt8], done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void) {
    Task { [events = services.events] in
      do {
        done(.ok, try await RecentEvents.answer(request, from: events))
      } catch {
        done(.invalidArgument, Array("\(error)".utf8))
      }
    }
  }

  func call(
    _ service: String, _ method: String, input: [UInt8], traceparent: String?,
    done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void
  ) {
    services.call(
      service, method: method, input: input, traceparent: traceparent,
      from: state.withLock { $0.caller }
    ) { result in
      switch result {
      case .success(let answer): done(.ok, answer)
      case .failure(let error):
        done(ModuleStatus(rawValue: error.code.rawValue) ?? .failed, Array(error.description.utf8))
      }
    }
  }

  /// Call it before the module is loaded: its calls belong to a new caller from then on.
  func begin() {
    state.withLock { $0.caller = ServiceCaller(name, module: module) }
  }

  /// Call it before the module's instance is started: the caller may write its state from then on.
  func started() { services.started(state.withLock { $0.caller }) }

  /// Returns a function that ends the present caller. Call that once nothing comes from the module
  /// any more.
  func ending() -> @Sendable () -> Void {
    let caller = state.withLock { $0.caller }
    return { [services] in services.ended(caller) }
  }

  /// Ends the subscriptions that the module has left open.
  func close() {
    for id in state.withLock({ Array($0.subscriptions.keys) }) {
      end(id, status: .closed, message: "The module was stopped.")
    }
  }

  private func end(_ id: UInt64, status: ModuleStatus, message: String) {
    guard let ended = state.withLock({ $0.subscriptions.removeValue(forKey: id) }) else { return }
    // `closed` is a stop of the module: its next start goes on from this position.
    ended.source?.end(continues: status == .closed)
    // The module's interface promises all its calls on one thread.
    thread.run { ended.subscriber.closed(id, status: status, message: message) }
  }

  private func pump(_ id: UInt64) {
    thread.run { [weak self] in self?.hand(id) }
  }

  /// Hands over what waits, as far as there is credit; on the module's thread.
  private func hand(_ id: UInt64) {
    guard let entry = state.withLock({ $0.subscriptions[id] }), let source = entry.source else {
      return
    }
    // Outside of the lock: who waits for space in the subscription goes on now.
    let taken = source.take(entry.credit, bytes: .max)
    state.withLock { $0.subscriptions[id]?.credit -= taken.events.count }
    if !taken.events.isEmpty {
      let batch = EventBatch(joining: taken.events)
      entry.subscriber.events(id, batch: batch.events, dropped: taken.dropped)
    }
    switch taken.end {
    case .success: end(id, status: .ok, message: "")
    case .failure(let error):
      end(
        id, status: ModuleStatus(rawValue: error.code.rawValue) ?? .failed, message: error.message)
    case nil: break
    }
  }
}
