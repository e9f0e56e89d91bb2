internal import AgentEvents
internal import AgentJSON
internal import AgentQueries
internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird

/// Runs a query and streams what it says: as server-sent events to who accepts them, else as JSON
/// lines.
struct QueryRoutes {
  let host: AgentHost

  /// How often the costs so far are said to who asks for them, in milliseconds.
  private static let reportPause: Int64 = 2000

  func add(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("query") { request, _ in
      let (plan, span) = try Self.plan(request)
      let form = Form(accepting: request.headers[.accept])
      let outputs = host.events.outputs(
        of: plan, span: span, reportingCosts: request.flag("figures") ? Self.reportPause : nil)
      return Response(
        streaming: outputs, to: request, as: form.contentType, opening: form.opening,
        text: { form.text(of: $0.json) }, end: { outputs.end() })
    }
  }

  private static func plan(_ request: Request) throws -> (QueryPlan, QuerySpan) {
    do {
      let plan = try QueryPlan(Query(parsing: request.query("query") ?? "*"))
      let span = try request.query("span").map { text throws(SpanError) in
        try QuerySpan(parsing: text)
      }
      guard request.flag("past") else { return (plan, span ?? .live) }
      return (plan, (span ?? .all).past)
    } catch let error as SpanError {
      throw HostError(.invalid, "\(error)")
    } catch let error as QueryError {
      throw HostError(.invalid, "\(error)")
    }
  }

  private enum Form {
    case lines, serverSentEvents

    init(accepting header: String?) {
      self = header?.contains("text/event-stream") == true ? .serverSentEvents : .lines
    }

    var contentType: String {
      self == .lines ? "application/x-ndjson" : "text/event-stream"
    }

    /// Sent at once, so that the client knows that the query runs.
    var opening: String { self == .lines ? "\n" : ": \n\n" }

    func text(of object: JSONObject) -> String {
      let text = JSONValue.object(object).text()
      if self == .lines { return text + "\n" }
      return "event: \(object["type"]?.string ?? "message")\ndata: \(text)\n\n"
    }
  }
}

extension QueryOutputs.Element {
  /// The output as an object with its `type`.
  fileprivate var json: JSONObject {
    switch self {
    case .message(let message): message.json
    case .figures(let stages):
      ["type": "figures", "stages": .array(stages.map { .object($0.json) })]
    }
  }
}
