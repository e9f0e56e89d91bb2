/// The trace that the current task works for.
///
/// Requests to the host during a call (such as state) and published events join the call's trace by
/// themselves.
public enum CallTrace {
  /// The `traceparent` of W3C Trace Context; nil when the task belongs to no traced call. Child
  /// tasks inherit it, detached ones don't.
  @TaskLocal public static var traceparent: String?
  /// The `tracestate` of W3C Trace Context, to send with ``traceparent``; nil when there is none.
  @TaskLocal public static var tracestate: String?
}
