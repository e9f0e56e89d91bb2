internal import AgentEvents
internal import AgentJSON
internal import AgentModuleLoader
internal import AgentSystem
internal import AgentWorkerProtocol
internal import AgentWorkerProtocol
internal import Synchronization

/// The services of the host for a module that runs inside it. They use the event bus directly,
/// without frames. The module may call them on any thread.
final class InProcessServices: HostServices {
  private struct Subscription {
    let subscriber: EventSubscriber
    var source: (any EventSource)?
    /// The number of events that the host may deliver before the module acknowledges some.
    var credit: Int
  }

  private struct State {
    var subscriptions: [UInt64: Subscription] = [:]
    var next: UInt64 = 1
    /// The caller of the current start. Each start has a new caller, as each worker process has its
    /// own.
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
      // All events are published or none, because the module gets one status for the call.
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
    // The subscription is registered before the source is opened, because the source may announce
    // events at once.
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
    // If the source announced events before it was in the table, these weren't taken. They are
    // taken now.
    pump(id)
    return .success(id)
  }

  func acknowledge(subscription: UInt64, count: UInt32) {
    let source = state.withLock { state in
      state.subscriptions[subscription]?.credit += Int(count)
      return state.subscriptions[subscription]?.source
    }
    // This is outside of the lock, because a durable consumer stores its position and takes locks
    // of its own.
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

  /// Creates a new caller, to which the module's later calls belong. Called before the module is
  /// loaded.
  func begin() {
    state.withLock { $0.caller = ServiceCaller(name, module: module) }
  }

  /// Reports the start of the caller to the services. Called before the module's instance is
  /// started, because the caller may write its state from then on.
  func started() { services.started(state.withLock { $0.caller }) }

  /// Returns a function that reports the end of the current caller to the services. That function
  /// is called when no more calls come from the module.
  func ending() -> @Sendable () -> Void {
    let caller = state.withLock { $0.caller }
    return { [services] in services.ended(caller) }
  }

  /// Ends the subscriptions that the module hasn't ended.
  func close() {
    for id in state.withLock({ Array($0.subscriptions.keys) }) {
      end(id, status: .closed, message: "The module was stopped.")
    }
  }

  private func end(_ id: UInt64, status: ModuleStatus, message: String) {
    guard let ended = state.withLock({ $0.subscriptions.removeValue(forKey: id) }) else { return }
    // `closed` means a stop of the module. Its next start continues from this position.
    ended.source?.end(continues: status == .closed)
    // The module's interface promises that all calls of the module come on one thread.
    thread.run { ended.subscriber.closed(id, status: status, message: message) }
  }

  private func pump(_ id: UInt64) {
    thread.run { [weak self] in self?.hand(id) }
  }

  /// Delivers the waiting events of a subscription, as far as its credit allows. Called on the
  /// module's thread.
  private func hand(_ id: UInt64) {
    guard let entry = state.withLock({ $0.subscriptions[id] }), let source = entry.source else {
      return
    }
    // This is outside of the lock, because publishers that wait for space in the subscription
    // continue now.
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
