extension Tracer {
  /// Runs `work` with `context` as the current context. Meanwhile, the tracer keeps the context's
  /// `tracestate` for ``context(of:)``.
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

  /// Returns the context of a `traceparent`, with the `tracestate` that is kept for its trace.
  /// - Returns: `nil` if the `traceparent` is invalid.
  public func context(of traceparent: String) -> TraceContext? {
    guard let context = TraceContext(traceparent: traceparent) else { return nil }
    return TraceContext(
      trace: context.trace, span: context.span, isSampled: context.isSampled,
      state: states[context.trace])
  }
}
