internal import AgentAccess
internal import AgentHost
internal import AgentJSON
internal import AgentProcesses
internal import AgentText
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Routes that modules serve themselves, below `/modules/NAME/`. They change with the settings, so
/// route and scope are looked up for each request.
struct ModuleServedRoutes {
  let host: HostApplication

  private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]

  var routes: [APIRoute] {
    Self.methods.map { method in
      APIRoute(
        method, "/modules/{name}/{rest...}", operation: "\(method.rawValue.lowercased())_of_module",
        summary: "Forwards a request to a route that a module declares in its manifest.",
        tag: .modules,
        for: .read,
        parameters: [.path("name", "the module"), .path("rest", "path below the module")],
        body: method == .get ? nil : .anything, replies: [],
        options: [.undocumented, .slow, .checksScope]
      ) { [host] call in try await serve(call, method: method, host: host) }
    }
  }

  private func serve(
    _ call: APICall, method: HTTPRequest.Method, host: HostApplication
  ) async throws -> Response {
    let name = call.path("name")
    let path = try Self.segments(call.path("rest"))
    switch host.processes.moduleRoute(module: name, method: method.rawValue, path: path) {
    case .none(let message): throw HostError(.notFound, message)
    case .otherMethods(let methods): throw Self.wrongMethod(call, methods)
    case .found(let route, let parameters):
      guard call.principal.may(Scope(rawValue: route.scope)) else {
        throw APIProblem.forbidden(call.principal, needs: Scope(rawValue: route.scope))
      }
      if route.input != nil { try Self.checkType(call.request) }
      let request = ModuleRequest(
        method: method.rawValue, path: path.joined(separator: "/"), query: call.query.pairs,
        headers: call.request.headers.map { ($0.name.rawName, $0.value) },
        principal: call.principal.label, body: call.bytes)
      return Response(try await host.processes.serve(request, by: route, parameters: parameters))
    }
  }

  /// Returns the decoded segments. The root of a module has none.
  private static func segments(_ rest: String) throws(HostError) -> [String] {
    if rest.isEmpty { return [] }
    let segments = rest.split(separator: "/", omittingEmptySubsequences: false).map {
      PercentEncoding.decoded($0)
    }
    // A module may join the segments to the path of a folder. `..%2f` is one segment here and would
    // be two folders there, so it is refused.
    let isSafe = segments.allSatisfy { segment in
      !segment.utf8.contains(0)
        && segment.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
          .allSatisfy { $0 != ".." && $0 != "." }
    }
    guard isSafe else {
      throw HostError(.notFound, "There is nothing at a path with . or .. in it.")
    }
    return segments
  }

  /// Refuses JSON with another `Content-Type`. A page of another site can send such a request
  /// without a preflight.
  private static func checkType(_ request: Request) throws {
    let header = request.headers[.contentType]
    if header.flatMap(MediaType.init(header:)) == .json { return }
    throw APIProblem(
      .unsupportedMediaType, code: "unsupported_media_type",
      message: "The Content-Type must be application/json; "
        + (header.map { "found \"\($0)\"." } ?? "there is none."))
  }

  private static func wrongMethod(_ call: APICall, _ methods: [String]) -> APIProblem {
    let methods = methods.joined(separator: ", ")
    var problem = APIProblem(
      .methodNotAllowed, code: "method_not_allowed",
      message:
        "\(call.request.uri.path) has no \(call.request.method.rawValue); there is \(methods).")
    problem.headers[.allow] = methods
    return problem
  }
}

extension Response {
  /// Makes the answer from a checked reply of a module.
  fileprivate init(_ reply: ModuleReply) {
    var headers = HTTPFields()
    for (name, value) in reply.headers {
      if let name = HTTPField.Name(name) { headers[values: name].append(value) }
    }
    if let type = reply.contentType { headers[.contentType] = type }
    self.init(
      status: HTTPResponse.Status(code: reply.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
  }
}
