import AgentModuleLoader
import Synchronization

/// A host that notes what it is asked.
final class FakeServices: HostServices {
  struct State {
    var logs: [String] = []
    var events: [String] = []
    var subscribers: [EventSubscriber] = []
    var acknowledged: UInt32 = 0
    var calls: [String] = []
  }

  let state = Mutex(State())

  func log(level: UInt32, message: String) { state.withLock { $0.logs.append(message) } }
  func now() -> Int64 { 42 }

  func publish(
    events: [UInt8], accepted: (@Sendable (ModuleStatus, String) -> Void)?
  ) -> ModuleStatus {
    state.withLock { $0.events.append(String(decoding: events, as: UTF8.self)) }
    accepted?(.ok, "")
    return .ok
  }

  func subscribe(
    request: [UInt8], subscriber: EventSubscriber
  ) -> Result<UInt64, ModuleFailure> {
    state.withLock { $0.subscribers.append(subscriber) }
    return .success(7)
  }

  func acknowledge(subscription: UInt64, count: UInt32) {
    state.withLock { $0.acknowledged += count }
  }

  func unsubscribe(subscription: UInt64) {}
  func query(request: [UInt8], done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void) {}
  func heartbeat() {}

  func call(
    _ service: String, _ method: String, input: [UInt8], traceparent: String?,
    done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void
  ) {
    state.withLock {
      $0.calls.append("\(service) \(method) \(String(decoding: input, as: UTF8.self))")
    }
    done(method == "get" ? .ok : .unsupported, Array("1".utf8))
  }
}
