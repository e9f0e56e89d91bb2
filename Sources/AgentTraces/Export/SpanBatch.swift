internal import AgentJSON

/// Spans as the JSON body of an OTLP request.
///
/// Rationale: the body is the ExportTraceServiceRequest of opentelemetry-proto 1.x in the encoding
/// of https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding: ids in hexadecimal, 64-bit
/// numbers as strings, enumerations as numbers.
struct SpanBatch {
  let spans: [EndedSpan]
  let configuration: TraceConfiguration

  var json: [UInt8] {
    let resource: JSONValue = [
      "attributes": .array([
        Self.attribute("service.name", .string(configuration.service)),
        Self.attribute("service.version", .string(configuration.version)),
      ])
    ]
    let scope: JSONValue = [
      "name": "bulkhead", "version": .string(configuration.version),
    ]
    let body: JSONValue = [
      "resourceSpans": [
        [
          "resource": resource,
          "scopeSpans": [["scope": scope, "spans": .array(spans.map(Self.span))]],
        ]
      ]
    ]
    return body.bytes()
  }

  private static func span(_ span: EndedSpan) -> JSONValue {
    var object: JSONObject = [
      "traceId": .string("\(span.context.trace)"), "spanId": .string("\(span.context.span)"),
    ]
    object["parentSpanId"] = span.parent.map { .string("\($0)") }
    object["traceState"] = span.context.state.map { .string($0.description) }
    object["name"] = .string(span.name)
    object["kind"] = JSONValue(span.kind.rawValue)
    object["startTimeUnixNano"] = .string("\(span.begin)")
    // The system's clock may be set back during a span. The end must not precede the begin.
    object["endTimeUnixNano"] = .string("\(max(span.begin, span.end))")
    object["attributes"] = .array(span.attributes.map { attribute($0.key, $0.value) })
    var status = JSONObject()
    if let failure = span.failure {
      // 2 is STATUS_CODE_ERROR. A span without a failure has an empty status, which means "unset".
      status["code"] = 2
      status["message"] = .string(failure)
    }
    object["status"] = .object(status)
    return .object(object)
  }

  private static func attribute(_ key: String, _ value: SpanValue) -> JSONValue {
    let value: JSONValue =
      switch value {
      case .string(let text): ["stringValue": .string(text)]
      case .int(let number): ["intValue": .string("\(number)")]
      }
    return ["key": .string(key), "value": value]
  }
}
