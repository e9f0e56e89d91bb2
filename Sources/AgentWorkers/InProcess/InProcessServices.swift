internal import AgentEvents
internal import AgentJSON
internal import AgentModuleLoader
internal import AgentSystem
internal import AgentWorkerProtocol
internal import Synchronization

/// The services of the host for one start of a module that runs inside it. They use the event bus
/// directly, without frames. The module may call them on any thread.
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
    /// Whether the module was stopped. Nothing ends a subscription that comes later.
    var isClosed = false
  }

  private static let window = 256
  private let name: String
  private let services: WorkerServices
  private let thread: ModuleThread
  /// The caller to which the module's calls belong. Each start has its own, as each worker process
  /// has.
  private let caller: ServiceCaller
  private let state = Mutex(State())

  init(name: String, module: String, services: WorkerServices, thread: ModuleThread) {
    self.name = name
    self.services = services
    self.thread = thread
    caller = ServiceCaller(name, module: module)
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
    let id = state.withLock { state -> UInt64? in
      guard !state.isClosed else { return nil }
      let id = state.next
      state.next += 1
      state.subscriptions[id] = Subscription(
        subscriber: subscriber, source: nil, credit: Self.window)
      return id
    }
    guard let id else { return .failure(Self.stopped) }
    let source: any EventSource
    do {
      let request = try Subscribe(json: request)
      source = try services.source(of: request, for: name) { [weak self] in self?.pump(id) }
    } catch {
      state.withLock { $0.subscriptions[id] = nil }
      return .failure(ModuleFailure(.invalidArgument, "\(error)"))
    }
    let isOpen = state.withLock { state in
      state.subscriptions[id]?.source = source
      return state.subscriptions[id] != nil
    }
    guard isOpen else {
      // The module was stopped in the meantime, so no other code would end this source.
      source.end(continues: true)
      return .failure(Self.stopped)
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
      from: caller
    ) { result in
      switch result {
      case .success(let answer): done(.ok, answer)
      case .failure(let error):
        done(ModuleStatus(rawValue: error.code.rawValue) ?? .failed, Array(error.description.utf8))
      }
    }
  }

  /// Reports the start of the caller to the services. Called before the module's instance is
  /// started, because the caller may write its state from then on.
  func started() { services.started(caller) }

  /// Reports the end of the caller to the services. Called once, when no more calls come from the
  /// module.
  func ended() { services.ended(caller) }

  /// Ends the subscriptions that the module hasn't ended, and refuses later ones.
  func close() {
    let open = state.withLock { state in
      state.isClosed = true
      defer { state.subscriptions = [:] }
      // One without a source is being opened on another thread. That thread finds that it is gone.
      return state.subscriptions.filter { $0.value.source != nil }
    }
    for (id, subscription) in open {
      end(id, subscription, status: .closed, message: Self.stopped.message)
    }
  }

  private static let stopped = ModuleFailure(.closed, "The module was stopped.")

  private func end(_ id: UInt64, status: ModuleStatus, message: String) {
    guard let ended = state.withLock({ $0.subscriptions.removeValue(forKey: id) }) else { return }
    end(id, ended, status: status, message: message)
  }

  private func end(
    _ id: UInt64, _ ended: Subscription, status: ModuleStatus, message: String
  ) {
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
