internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import AgentStore
internal import AgentText
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// The reason for a refusal or a failure, as problem details (RFC 9457).
struct APIProblem: Error, Sendable {
  let status: HTTPResponse.Status
  /// The maximum number of `problems` in an answer. More of them don't help a reader.
  static let maxProblems = 100

  /// The reason, for programs.
  let code: String
  /// A sentence for the person who asked.
  var message: String
  /// The faults of the request or the settings, each with its place.
  var problems: [JSONValue] = []
  /// Further members of the answer.
  var extra: JSONObject = [:]
  var headers: HTTPFields = [:]

  init(_ status: HTTPResponse.Status, code: String, message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  init(_ error: HostError) {
    self.init(error.code.status, code: error.code.rawValue, message: error.message)
    problems = error.problems
  }

  init(_ error: AccessError) {
    switch error.code {
    case .unauthenticated: self = .unauthenticated(error.message)
    case .forbidden: self.init(.forbidden, code: "forbidden", message: error.message)
    case .invalid: self.init(.badRequest, code: "invalid", message: error.message)
    case .missing: self.init(.notFound, code: "not_found", message: error.message)
    case .conflict: self.init(.conflict, code: "conflict", message: error.message)
    case .notReady: self.init(.serviceUnavailable, code: "not_ready", message: error.message)
    case .busy:
      self.init(.tooManyRequests, code: "too_many_requests", message: error.message)
      headers[.retryAfter] = "1"
    }
  }

  /// The request has no valid token.
  static func unauthenticated(_ message: String) -> APIProblem {
    var problem = APIProblem(.unauthorized, code: "unauthenticated", message: message)
    problem.headers[.wwwAuthenticate] = "Bearer realm=\"bulkhead\""
    return problem
  }

  /// Makes the problem for an error that a route has thrown.
  init(thrown error: any Error) {
    switch error {
    case let problem as APIProblem: self = problem
    case let error as HostError: self.init(error)
    case let error as AccessError: self.init(error)
    case is CancellationError:
      self.init(
        .serviceUnavailable, code: "stopping",
        message: "The host is stopping, or the client has disconnected.")
    case let error as StoreError where Self.passing.contains(error.code):
      // The same request may be sent again. Either nothing of it was stored, or its key identifies
      // it.
      self.init(.serviceUnavailable, code: "not_ready", message: "\(error)")
    default: self.init(.internalServerError, code: "failed", message: "\(error)")
    }
  }

  /// The store's errors that may pass, so that the next write succeeds.
  private static let passing: Set<StoreError.Code> = [.full, .fault, .group, .corrupt, .closed]

  /// Returns the problem without secrets. A module may have written its text.
  func redacted(by redactor: Redactor) -> APIProblem {
    var problem = self
    problem.message = redactor.redact(message)
    problem.problems = problems.prefix(Self.maxProblems).map(redactor.redact)
    for (name, value) in extra { problem.extra[name] = redactor.redact(value) }
    return problem
  }

  /// The maximum length of a message in an answer, in bytes. A message may quote a name of a
  /// megabyte.
  private static let maxDetailBytes = 4_000

  /// Returns the answer.
  func response(id: String) -> Response {
    var object: JSONObject = [
      "type": "about:blank", "title": .string(status.reasonPhrase),
      "status": JSONValue(status.code),
      "detail": .string(message.cut(toBytes: Self.maxDetailBytes)), "code": .string(code),
      "request_id": .string(id),
    ]
    if !problems.isEmpty {
      object["problems"] = .array(Array(problems.prefix(Self.maxProblems)))
    }
    for (name, value) in extra { object[name] = value }
    var response = Response(.object(object), status: status)
    response.headers[.contentType] = MediaType.problem.rawValue
    for field in headers { response.headers[field.name] = field.value }
    return response
  }

  /// The schema of the answer.
  static let shape = Shape.object(
    "Problem", required: ["type", "title", "status", "detail", "code", "request_id"],
    [
      "type": ["type": "string"], "title": ["type": "string"],
      "status": ["type": "integer", "description": "the HTTP status of the response"],
      "detail": [
        "type": "string", "description": "an explanation for the person who sent the request",
      ],
      "code": ["type": "string", "description": "a code for the kind of problem"],
      "request_id": ["type": "string"],
      "problems": [
        "type": "array", "items": ["type": "object"], "maxItems": JSONValue(maxProblems),
        "description": "every problem found, each with its location",
      ],
    ], open: true)
}

extension HostError.Code {
  var status: HTTPResponse.Status {
    switch self {
    case .notFound: .notFound
    case .conflict: .conflict
    case .preconditionFailed: .preconditionFailed
    case .invalid: .badRequest
    case .forbidden: .forbidden
    case .invalidSettings: .unprocessableContent
    case .failed: .internalServerError
    case .badGateway: .badGateway
    case .deadlineExceeded: .gatewayTimeout
    case .notReady, .stopping: .serviceUnavailable
    }
  }
}
