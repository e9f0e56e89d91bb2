internal import AgentText

/// A position in a trace: the values that W3C Trace Context carries from one program to the next.
///
/// Rationale: https://www.w3.org/TR/trace-context-1/
public struct TraceContext: Sendable, Hashable {
  /// The id of the trace.
  public let trace: TraceID
  /// The id of the span that is the parent of what follows.
  public let span: SpanID
  /// Whether the program that began the trace records it.
  public let isSampled: Bool
  /// Entries of other tracing systems that are passed on unchanged. `nil` if there are none.
  public let state: TraceState?

  /// Creates a context from its parts.
  public init(trace: TraceID, span: SpanID, isSampled: Bool, state: TraceState? = nil) {
    self.trace = trace
    self.span = span
    self.isSampled = isSampled
    self.state = state
  }

  /// Reads the headers of a request. Returns `nil` if `traceparent` is invalid, whatever
  /// `tracestate` is. An invalid `tracestate` is left out.
  public init?(traceparent: String, tracestate: String? = nil) {
    let bytes = Array(traceparent.utf8)
    guard bytes.count >= 55, bytes.count <= 512,
      [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
      let version = Hexadecimal.value(bytes[0..<2]), version != 0xff,
      // A later version starts with the same fields and appends others after a dash.
      bytes.count == 55 || (version > 0 && bytes[55] == UInt8(ascii: "-")),
      let high = Hexadecimal.value(bytes[3..<19]), let low = Hexadecimal.value(bytes[19..<35]),
      let trace = TraceID(high, low),
      let parent = Hexadecimal.value(bytes[36..<52]), let span = SpanID(parent),
      let flags = Hexadecimal.value(bytes[53..<55])
    else { return nil }
    self.init(
      trace: trace, span: span, isSampled: flags & 1 == 1,
      state: tracestate.flatMap { TraceState($0) })
  }

  /// The value of a `traceparent` header, in version 00.
  public var traceparent: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }

  /// Returns the context of another span in the same trace.
  func within(_ span: SpanID) -> TraceContext {
    TraceContext(trace: trace, span: span, isSampled: isSampled, state: state)
  }
}
