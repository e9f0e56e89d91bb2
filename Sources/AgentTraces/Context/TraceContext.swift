internal import AgentText

/// Where in which trace something happens: what W3C Trace Context carries from one program to the
/// next.
///
/// Rationale: https://www.w3.org/TR/trace-context-1/
public struct TraceContext: Sendable, Hashable {
  /// The trace.
  public let trace: TraceID
  /// The span that whatever follows belongs to.
  public let span: SpanID
  /// Whether who began the trace records it.
  public let isSampled: Bool
  /// What other vendors want to be handed on; nil for nothing.
  public let state: TraceState?

  /// A context of these.
  public init(trace: TraceID, span: SpanID, isSampled: Bool, state: TraceState? = nil) {
    self.trace = trace
    self.span = span
    self.isSampled = isSampled
    self.state = state
  }

  /// Reads what came with a request. A `traceparent` that isn't valid is no context, and its
  /// `tracestate` is none either; a `tracestate` that isn't valid is left out.
  public init?(traceparent: String, tracestate: String? = nil) {
    let bytes = Array(traceparent.utf8)
    guard bytes.count >= 55, bytes.count <= 512,
      [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
      let version = Hexadecimal.value(bytes[0..<2]), version != 0xff,
      // A later version begins like this one; a dash separates what it adds.
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

  /// The context as `traceparent` carries it, in version 00.
  public var traceparent: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }

  /// The same trace, in another span.
  func within(_ span: SpanID) -> TraceContext {
    TraceContext(trace: trace, span: span, isSampled: isSampled, state: state)
  }
}
