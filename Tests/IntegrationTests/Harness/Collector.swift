import AgentJSON
import TestSupport

/// A span, as a collector was sent it.
struct CollectedSpan: Sendable, CustomStringConvertible {
  let json: JSONValue

  var name: String { json["name"]?.string ?? "" }
  var id: String { json["spanId"]?.string ?? "" }
  var parent: String { json["parentSpanId"]?.string ?? "" }
  var trace: String { json["traceId"]?.string ?? "" }
  var state: String? { json["traceState"]?.string }

  /// The values of its attributes, as text.
  subscript(attribute: String) -> String? {
    let found = json["attributes"]?.array?.first { $0["key"]?.string == attribute }
    return found?["value"]?["stringValue"]?.string ?? found?["value"]?["intValue"]?.string
  }

  var description: String { "\(name) [\(id) below \(parent)]" }
}

/// A receiver is a collector too: what OTLP over HTTP needs of one is little.
extension WebhookReceiver {
  /// What the settings say for traces that go to it.
  var traces: JSONObject { ["endpoint": .string("http://127.0.0.1:\(port)")] }

  /// The spans that it was sent so far.
  var spans: [CollectedSpan] {
    requests.flatMap { request -> [CollectedSpan] in
      let scopes = request.json["resourceSpans"]?[0]?["scopeSpans"]
      return (scopes?[0]?["spans"]?.array ?? []).map(CollectedSpan.init(json:))
    }
  }

  /// Waits for `count` spans of a trace; there may be more.
  func spans(of trace: String, _ count: Int) async throws -> [CollectedSpan] {
    try await eventually("\(count) spans of \(trace)", said: { "\(self.spans)" }) {
      let found = self.spans.filter { $0.trace == trace }
      return found.count >= count ? found : nil
    }
  }
}
