/// What a contribution may ask of its host; the worker answers by frames, the host directly.
/// All of it may be called from any thread, and none of it may block.
public protocol HostServices: AnyObject, Sendable {
  /// Writes a log record; `level` is `AGENT_TRACE` … `AGENT_CRITICAL`.
  func log(level: UInt32, message: String)
  /// Unix milliseconds by the host's clock.
  func now() -> Int64
  /// Publishes an event (a JSON object) or several (an array). `accepted` is called exactly once,
  /// when the events have left, if the result is `ok`; nil asks not to wait.
  func publish(
    events: [UInt8], accepted: (@Sendable (ModuleStatus, String) -> Void)?
  ) -> ModuleStatus
  /// Subscribes. The subscriber is told on the module thread.
  func subscribe(
    request: [UInt8], subscriber: EventSubscriber
  ) -> Result<UInt64, ModuleFailure>
  /// Allows `count` more events of a subscription.
  func acknowledge(subscription: UInt64, count: UInt32)
  /// Ends a subscription; the subscriber's `closed` follows.
  func unsubscribe(subscription: UInt64)
  /// Recent events; `done` gets `{"events": […], "truncated": …}` or a sentence.
  func query(request: [UInt8], done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void)
  /// Asks a service by the name of a method, JSON; `done` gets its answer, JSON, or a sentence.
  /// `traceparent` is the trace that it belongs to.
  func call(
    _ service: String, _ method: String, input: [UInt8], traceparent: String?,
    done: @escaping @Sendable (ModuleStatus, [UInt8]) -> Void)
  /// A long computation is at work.
  func heartbeat()
}
