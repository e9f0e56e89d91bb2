/// The services of the host for a contribution. A worker sends frames; a host that loads the module
/// itself answers directly. Every method may be called on any thread and must not block.
public protocol HostServices: AnyObject, Sendable {
  /// Writes a log record. `level` is `AGENT_TRACE` … `AGENT_CRITICAL`.
  func log(level: UInt32, message: String)
  /// Returns the host's time, in Unix milliseconds.
  func now() -> Int64
  /// Publishes an event (a JSON object) or several (an array). If the result is `ok`, `accepted` is
  /// called exactly once, after the events were sent. `nil` doesn't wait for that.
  func publish(
    events: [UInt8], accepted: (@Sendable (ModuleStatus, String) -> Void)?
  ) -> ModuleStatus
  /// Subscribes to events. The subscriber is called on the module thread.
  func subscribe(
    request: [UInt8], subscriber: EventSubscriber
  ) -> Result<UInt64, ModuleFailure>
  /// Allows the host to send `count` more events of a subscription.
  func acknowledge(subscription: UInt64, count: UInt32)
  /// Ends a subscription. The subscriber's `closed` is called afterwards.
  func unsubscribe(subscription: UInt64)
  /// Queries recent events. `done` receives `{"events": […], "truncated": …}`, or a message with
  /// another status than `ok`.
  func query(request: [UInt8], done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void)
  /// Calls a method of a service with JSON. `done` receives its JSON answer, or a message with
  /// another status than `ok`. `traceparent` is the trace context of the call.
  func call(
    _ service: String, _ method: String, input: [UInt8], traceparent: String?,
    done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void)
  /// Reports that a long computation is still running.
  func heartbeat()
}
