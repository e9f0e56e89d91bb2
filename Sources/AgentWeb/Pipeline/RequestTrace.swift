internal import AgentSettings
internal import AgentTraces
internal import HTTPTypes
internal import Hummingbird

extension Tracer {
  /// Answers a request within the trace of its caller, or in a new trace. Without tracing it costs
  /// one look-up of a header field.
  func serving(
    _ request: Request, by route: APIRoute, redactor: Redactor,
    answer: () async throws -> Response
  ) async throws -> Response {
    // Several fields of this name are joined into an invalid one. The standard requires it to be
    // ignored.
    let caller = request.headers[.traceparent].flatMap {
      TraceContext(traceparent: $0, tracestate: request.headers[.tracestate])
    }
    guard let span = serve("\(request.method.rawValue) \(route.path)", for: caller) else {
      guard let caller else { return try await answer() }
      return try await Tracer.$current.withValue(caller) { try await answer() }
    }
    func end(_ status: Int, _ failure: String?) {
      span.end(
        failure: status >= 500 ? failure ?? "The response status was \(status)." : nil,
        attributes: [
          ("http.request.method", .string(request.method.rawValue)),
          ("http.route", .string(route.path)), ("http.response.status_code", .int(status)),
        ])
    }
    do {
      let response = try await Tracer.$current.withValue(span.context) { try await answer() }
      end(response.status.code, nil)
      return response
    } catch {
      end(APIProblem(thrown: error).status.code, redactor.redact("\(error)"))
      throw error
    }
  }
}

extension HTTPField.Name {
  fileprivate static let traceparent = HTTPField.Name("traceparent") ?? .server
  fileprivate static let tracestate = HTTPField.Name("tracestate") ?? .server
}
