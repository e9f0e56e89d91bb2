internal import AgentEvents
internal import AgentJSON
internal import AgentModuleLoader
internal import AgentWorkerProtocol
internal import AgentWorkerProtocol
internal import Synchronization

/// What a module that runs inside the host gets from it: the bus itself, without frames between.
final class InProcessServices: HostServices {
  private struct Subscription {
    let subscriber: EventSubscriber
    var subscription: EventSubscription?
    /// How many events may be handed over before the module acknowledges some.
    var credit: Int
  }

  private struct State {
    var subscriptions: [UInt64: Subscription] = [:]
    var next: UInt64 = 1
  }

  private static let window = 256
  private let name: String
  private let services: WorkerServices
  private let thread: ModuleThread
  private let caller: ServiceCaller
  private let state = Mutex(State())

  init(name: String, services: WorkerServices, thread: ModuleThread) {
    self.name = name
    self.services = services
    self.thread = thread
    caller = ServiceCaller(name)
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
      try services.events.publishPatiently(objects, source: name) { _ in accepted?(.ok, "") }
    } catch {
      log(level: 5, message: "Events were refused: \(error)")
      return .invalidArgument
    }
    return .ok
  }

  func subscribe(
    request: [UInt8], subscriber: EventSubscriber
  ) -> Result<UInt64, ModuleFailure> {
    let query: EventQuery
    let fields: JSONNode
    do {
      fields = try JSONDocument(parsing: request).root
      query = try EventQuery(parsing: fields["query"]?.string ?? "")
    } catch {
      return .failure(ModuleFailure(.invalidArgument, "\(error)"))
    }
    let id = state.withLock { state in
      let id = state.next
      state.next += 1
      state.subscriptions[id] = Subscription(
        subscriber: subscriber, subscription: nil, credit: Self.window)
      return id
    }
    let subscription = services.events.subscribe(
      to: query, window: Int64(fields["window_ms"]?.int ?? 0),
      capacity: fields["capacity"]?.int ?? 1024,
      overflow: EventOverflow(rawValue: fields["overflow"]?.string ?? "") ?? .dropOldest
    ) { [weak self] _ in self?.pump(id) }
    state.withLock { $0.subscriptions[id]?.subscription = subscription }
    pump(id)
    return .success(id)
  }

  func acknowledge(subscription: UInt64, count: UInt32) {
    state.withLock { $0.subscriptions[subscription]?.credit += Int(count) }
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
    _ service: String, _ method: String, input: [UInt8],
    done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void
  ) {
    services.call(service, method, input, from: caller) { result in
      switch result {
      case .success(let answer): done(.ok, answer)
      case .failure(let error):
        done(ModuleStatus(rawValue: error.code.rawValue) ?? .failed, Array(error.description.utf8))
      }
    }
  }

  /// The module is told to start.
  func started() { services.started(caller) }

  /// Ends what the module has left open.
  func close() {
    for id in state.withLock({ Array($0.subscriptions.keys) }) {
      end(id, .closed, "The module was stopped.")
    }
  }

  private func end(_ id: UInt64, _ status: ModuleStatus, _ message: String) {
    guard let ended = state.withLock({ $0.subscriptions.removeValue(forKey: id) }) else { return }
    if let subscription = ended.subscription { services.events.unsubscribe(subscription) }
    thread.run { ended.subscriber.closed(id, status: status, message: message) }
  }

  private func pump(_ id: UInt64) {
    thread.run { [weak self] in self?.hand(id) }
  }

  /// Hands over what waits, as far as there is credit; on the module's thread.
  private func hand(_ id: UInt64) {
    let taken = state.withLock { state -> (EventSubscriber, [Event], UInt64)? in
      guard let entry = state.subscriptions[id], let subscription = entry.subscription,
        entry.credit > 0
      else { return nil }
      let (events, dropped) = subscription.take(entry.credit)
      guard !events.isEmpty else { return nil }
      state.subscriptions[id]?.credit -= events.count
      return (entry.subscriber, events, dropped)
    }
    guard let (subscriber, events, dropped) = taken else { return }
    let batch = EventBatch(joining: events.map(\.encoded))
    subscriber.events(id, batch: batch.events, dropped: dropped)
  }
}
