extension Tracer {
  /// Works in this context, and keeps its `tracestate` meanwhile for those who come back with the
  /// `traceparent` alone.
  public func working<Value>(
    in context: TraceContext, _ work: () async -> Value
  ) async -> Value {
    guard let state = context.state else {
      return await Tracer.$current.withValue(context) { await work() }
    }
    states.keep(state, of: context.trace)
    defer { states.drop(context.trace) }
    return await Tracer.$current.withValue(context) { await work() }
  }

  /// The context that a `traceparent` names, with the `tracestate` that is kept for its trace.
  /// - Returns: nil when it isn't valid.
  public func context(of traceparent: String) -> TraceContext? {
    guard let context = TraceContext(traceparent: traceparent) else { return nil }
    return TraceContext(
      trace: context.trace, span: context.span, isSampled: context.isSampled,
      state: states[context.trace])
  }
}
