internal import AgentText

/// The role of a span in a call. The raw values are those of OTLP.
public enum SpanKind: Int, Sendable, Hashable {
  /// A step within the host.
  case `internal` = 1
  /// The processing of a request from outside.
  case server = 2
  /// A request to another program, including the wait for its response.
  case client = 3
}

/// The value of a span's attribute.
public enum SpanValue: Sendable, Hashable {
  /// A string.
  case string(String)
  /// A whole number.
  case int(Int)
}

/// A step of a trace that has begun. It is exported after its end; a span that never ends is lost.
public struct Span: Sendable {
  /// The context for everything that this span causes.
  public let context: TraceContext
  let parent: SpanID?
  let name: String
  let kind: SpanKind
  let begin: UInt64
  let tracer: Tracer

  /// The maximum size of a text, in bytes. Thousands of spans wait for their export, and their texts
  /// come from requests and modules.
  private static let maxText = 1_000

  /// Ends the span. Called once. Long texts are cut.
  public func end(
    as name: String? = nil, failure: String? = nil,
    attributes: [(key: String, value: SpanValue)] = []
  ) {
    tracer.ended(
      EndedSpan(
        context: context, parent: parent, name: Self.cut(name ?? self.name), kind: kind,
        begin: begin, end: tracer.now(),
        attributes: attributes.map { attribute in
          guard case .string(let text) = attribute.value else { return attribute }
          return (attribute.key, .string(Self.cut(text)))
        }, failure: failure.map(Self.cut)))
  }

  private static func cut(_ text: String) -> String { text.cut(toBytes: maxText) }
}

/// A span that has ended and waits for its export.
struct EndedSpan: Sendable {
  let context: TraceContext
  let parent: SpanID?
  let name: String
  let kind: SpanKind
  /// The begin, in Unix nanoseconds, as is ``end``.
  let begin: UInt64
  let end: UInt64
  let attributes: [(key: String, value: SpanValue)]
  let failure: String?
}
