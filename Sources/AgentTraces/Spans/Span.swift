/// The kind of a span, seen from its maker; the numbers are OTLP's.
public enum SpanKind: Int, Sendable, Hashable {
  /// Within the host.
  case `internal` = 1
  /// Answers somebody.
  case server = 2
  /// Asks somebody and waits.
  case client = 3
}

/// A value that describes a span.
public enum SpanValue: Sendable, Hashable {
  /// A text.
  case string(String)
  /// A whole number.
  case int(Int)
}

/// One step of a trace that is under way. It shows once it has ended.
public struct Span: Sendable {
  /// What belongs to this span carries this.
  public let context: TraceContext
  let parent: SpanID?
  let name: String
  let kind: SpanKind
  let begin: UInt64
  let tracer: Tracer

  /// Ends it.
  /// - Parameters:
  ///   - name: what it turned out to be; nil for the name that it began with.
  ///   - failure: why it failed; nil when it didn't.
  ///   - attributes: what describes it.
  public func end(
    as name: String? = nil, failure: String? = nil,
    attributes: [(key: String, value: SpanValue)] = []
  ) {
    tracer.ended(
      EndedSpan(
        context: context, parent: parent, name: name ?? self.name, kind: kind, begin: begin,
        end: tracer.now(), attributes: attributes, failure: failure))
  }
}

/// A span that is over.
struct EndedSpan: Sendable {
  let context: TraceContext
  let parent: SpanID?
  let name: String
  let kind: SpanKind
  /// Unix nanoseconds.
  let begin: UInt64
  let end: UInt64
  let attributes: [(key: String, value: SpanValue)]
  let failure: String?
}
