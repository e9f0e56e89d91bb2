/// The trace that the current task works for.
///
/// What is asked of the host during a call, such as its state, and what is published shows in the
/// call's trace by itself.
public enum CallTrace {
  /// As the `traceparent` of W3C Trace Context; nil when the task belongs to no call that is traced.
  /// Child tasks have it too, detached ones don't.
  @TaskLocal public static var traceparent: String?
  /// As the `tracestate` of W3C Trace Context, to be sent along with ``traceparent``; nil for nothing.
  @TaskLocal public static var tracestate: String?
}
