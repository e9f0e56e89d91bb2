internal import AgentEvents
internal import AgentJSON
internal import AgentModuleLoader
internal import AgentSystem
internal import AgentWorkerProtocol
internal import AgentWorkerProtocol
internal import Synchronization

/// What a module that runs inside the host gets from it: the bus itself, without frames between.
final class InProcessServices: HostServices {
  private struct Subscription {
    let subscriber: EventSubscriber
    var source: (any EventSource)?
    /// How many events may be handed over before the module acknowledges some.
    var credit: Int
  }

  private struct State {
    var subscriptions: [UInt64: Subscription] = [:]
    var next: UInt64 = 1
    /// Another one each time that the module is started.
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
    services.log(name, .init(rawValue: level) ?? .info, message)
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
    pump(id)
    return .success(id)
  }

  func acknowledge(subscription: UInt64, count: UInt32) {
    let source = state.withLock { state in
      state.subscriptions[subscription]?.credit += Int(count)
      return state.subscriptions[subscription]?.source
    }
    source?.dealtWith(Int(count))
    pump(subscription)
  }

  func unsubscribe(subscription: UInt64) { end(subscription, .ok, "") }

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
      service, method, input, traceparent: traceparent, from: state.withLock { $0.caller }
    ) { result in
      switch result {
      case .success(let answer): done(.ok, answer)
      case .failure(let error):
        done(ModuleStatus(rawValue: error.code.rawValue) ?? .failed, Array(error.description.utf8))
      }
    }
  }

  /// The module is made anew.
  func begin() {
    state.withLock { $0.caller = ServiceCaller(name, module: module) }
  }

  /// The module is told to start.
  func started() { services.started(state.withLock { $0.caller }) }

  /// What `begin` began: to be called once nothing comes from it any more.
  func ending() -> @Sendable () -> Void {
    let caller = state.withLock { $0.caller }
    return { [services] in services.ended(caller) }
  }

  /// Ends what the module has left open.
  func close() {
    for id in state.withLock({ Array($0.subscriptions.keys) }) {
      end(id, .closed, "The module was stopped.")
    }
  }

  private func end(_ id: UInt64, _ status: ModuleStatus, _ message: String) {
    guard let ended = state.withLock({ $0.subscriptions.removeValue(forKey: id) }) else { return }
    ended.source?.end(continues: status == .closed)
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
    // Outside of the lock: who waits for room in the subscription goes on now.
    let taken = source.take(entry.credit, bytes: .max)
    state.withLock { $0.subscriptions[id]?.credit -= taken.events.count }
    if !taken.events.isEmpty {
      let batch = EventBatch(joining: taken.events)
      entry.subscriber.events(id, batch: batch.events, dropped: taken.dropped)
    }
    switch taken.end {
    case .success: end(id, .ok, "")
    case .failure(let error):
      end(id, ModuleStatus(rawValue: error.code.rawValue) ?? .failed, error.message)
    case nil: break
    }
  }
}
