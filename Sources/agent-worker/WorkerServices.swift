import AgentJSON
import AgentModuleLoader
import AgentWorkerProtocol
import Glibc
import Synchronization

/// The host's services for the contributions in this process. Every request becomes a frame.
final class WorkerServices: HostServices {
  private let connection: Connection
  private let thread: ModuleThread
  private let lastHeartbeat = Atomic<Int64>(0)

  init(connection: Connection, thread: ModuleThread) {
    self.connection = connection
    self.thread = thread
  }

  func log(level: UInt32, message: String) {
    connection.log(LogRecord(level: WireLevel(rawValue: level) ?? .info, message: message))
  }

  func now() -> Int64 {
    Self.milliseconds(CLOCK_REALTIME)
  }

  func publish(events: [UInt8], accepted: Connection.Accepted?) -> ModuleStatus {
    connection.publish(events, accepted)
  }

  func subscribe(
    request: [UInt8], subscriber: EventSubscriber
  ) -> Result<UInt64, ModuleFailure> {
    let subscribe: Subscribe
    do {
      subscribe = try Subscribe(json: request)
    } catch {
      return .failure(ModuleFailure(.invalidArgument, error.description))
    }
    let id = connection.update { state, frames in
      let (id, subscribing) = state.session.subscribe(subscribe)
      state.subscribers[id] = subscriber
      frames += subscribing
      return id
    }
    return .success(UInt64(id))
  }

  func acknowledge(subscription: UInt64, count: UInt32) {
    guard let id = UInt32(exactly: subscription) else { return }
    connection.update { state, frames in
      if let frame = state.session.acknowledge(id, Int(count)) { frames.append(frame) }
    }
  }

  func unsubscribe(subscription: UInt64) {
    guard let id = UInt32(exactly: subscription) else { return }
    let subscriber = connection.update { state, frames -> EventSubscriber? in
      guard let frame = state.session.unsubscribe(id) else { return nil }
      frames.append(frame)
      return state.subscribers.removeValue(forKey: id)
    }
    guard let subscriber else { return }
    thread.post { _ in subscriber.closed(subscription, status: .ok, message: "") }
  }

  func query(request: [UInt8], done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void) {
    call("events/1", "query", input: request, traceparent: nil, done: done)
  }

  func call(
    _ service: String, _ method: String, input: [UInt8], traceparent: String?,
    done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void
  ) {
    // Only a text that would break the frame is refused here. Each service checks its own limits.
    let limits = JSONLimits(maxDepth: 500, maxBytes: (1 << 28) - 4096)
    guard (try? JSONDocument(parsing: input, limits: limits)) != nil else {
      return done(.invalidArgument, Array("The request isn't JSON.".utf8))
    }
    let call = Call(
      service: service, method: method, input: input, traceparent: traceparent)
    connection.update { state, frames in
      let (id, frame) = state.session.call(call)
      frames.append(frame)
      state.answers[id] = { result in
        switch result {
        case .success(let json): done(.ok, json)
        case .failure(let error):
          done(ModuleStatus(module: error.code.rawValue), Array(error.description.utf8))
        }
      }
    }
  }

  func heartbeat() {
    let now = Self.milliseconds(CLOCK_MONOTONIC)
    let last = lastHeartbeat.load(ordering: .relaxed)
    // The host needs one heartbeat a second at most. The exchange chooses one of the threads that
    // call at the same time.
    guard now - last >= 1000,
      lastHeartbeat.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    else { return }
    connection.send(Frame(.heartbeat))
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }
}
