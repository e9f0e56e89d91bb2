internal import AgentAccess
internal import AgentEvents
internal import AgentJSON
internal import AgentQueries
internal import AgentHost
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// Runs a query and streams its output: as server-sent events if the client accepts them, otherwise
/// as JSON lines.
struct QueryRoutes {
  let host: HostApplication

  /// The time between two reports of the costs, in milliseconds.
  private static let reportPause: Int64 = 2000

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "query", operation: "run_query",
        summary: "Runs a query and streams its messages until it ends or the client disconnects.",
        tag: .queries,
        for: .read,
        parameters: [
          .query("query", .text, summary: "the query; * by default"),
          .query("span", .text, summary: "time span; from now on by default"),
          .query("past", .flag, summary: "only the part of the span that lies in the past"),
          .query("statistics", .flag, summary: "also report the costs so far every two seconds"),
        ],
        replies: [
          .text([.lines, .events], "Messages of the query, in the format that Accept names.")
        ], options: .streams
      ) { [host] call in
        let (plan, span) = try Self.plan(call)
        let form = Form(accepting: call.request.headers[.accept])
        let outputs = host.events.outputs(
          of: plan, span: span, reportingCosts: call.flag("statistics") ? Self.reportPause : nil,
          account: call.account,
          owner: .client("\(call.principal.kind.rawValue):\(call.principal.name)"))
        return Response(
          streaming: outputs, to: call, as: form.contentType, opening: form.opening,
          text: { form.text(of: $0.json) }, end: { outputs.end() })
      }
    ]
  }

  private static func plan(_ call: APICall) throws -> (QueryPlan, QuerySpan) {
    do {
      let plan = try QueryPlan(Query(parsing: call.text("query") ?? "*"))
      let span = try call.text("span").map { text throws(SpanError) in
        try QuerySpan(parsing: text)
      }
      guard call.flag("past") else { return (plan, span ?? .live) }
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

    /// The first text of the stream. It tells the client that the query runs.
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
    case .statistics(let stages):
      ["type": "statistics", "stages": .array(stages.map { .object($0.json) })]
    }
  }
}
