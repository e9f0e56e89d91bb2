internal import AgentAccess
internal import AgentJSON
internal import HTTPTypes
internal import Hummingbird

/// One route of the API: its scope, its parameters, its answers and its work. The request pipeline,
/// the audit log and the OpenAPI document all use this declaration.
struct APIRoute: Sendable {
  /// The exceptions of a route.
  struct Options: OptionSet, Sendable {
    let rawValue: Int
    /// The audit log has no line for it, although it isn't a GET. It changes nothing, or it is
    /// recorded elsewhere.
    static let unaudited = Options(rawValue: 1)
    /// Its answer is a stream without an end.
    static let streams = Options(rawValue: 2)
    /// It may take long. Its work is cancelled when the client disconnects. A request with an
    /// `Idempotency-Key` goes on, because the client may send it again.
    static let slow = Options(rawValue: 4)
    /// The OpenAPI document leaves it out. It is a page for browsers, or a module declares it.
    static let undocumented = Options(rawValue: 8)
    /// It accepts an `Idempotency-Key`.
    static let repeatable = Options(rawValue: 16)
    /// Its query string or body names a thing that may be missing. The answer is then 404, as for a
    /// part of the path.
    static let named = Options(rawValue: 32)
    /// The pipeline admits every token. The route itself checks the scope.
    static let checksScope = Options(rawValue: 64)
    /// Every valid token is accepted, whatever its scopes.
    static let anyScope = Options(rawValue: 128)
    /// It accepts a bot's own token. The route or the engine checks that the request is about that
    /// bot or its assignments. All other routes refuse such a token, whatever its scopes.
    static let forBots = Options(rawValue: 256)
    /// It has no rate limit. Monitoring must work while another client sends too many requests. The
    /// route costs very little.
    static let unlimited = Options(rawValue: 512)
    /// Its answer is sent in pieces and has an end. The stream limit doesn't apply, because a
    /// client would take a part of the answer for all of it.
    static let ends = Options(rawValue: 1024)
    /// Its answer may have megabytes. It is made in turn with others, and not while the clients of
    /// earlier ones don't read them.
    static let large = Options(rawValue: 2048)
  }

  /// The groups of the OpenAPI document.
  enum Tag: String, Sendable, CaseIterable {
    case agent, processes, modules, settings, chat, events, queries, state, logs, access
    case diagnostics, notifications, metrics, tasks, bots, taskbot, schedules
  }

  typealias Answer = @Sendable (APICall) async throws -> Response

  let method: HTTPRequest.Method
  /// The whole path with names in braces, such as `/api/v1/processes/{name}`. `{rest...}` matches
  /// the rest of a path.
  let path: String
  /// The names in the path, in order.
  let names: [String]
  /// The name for programs, such as `get_process`.
  let operation: String
  /// One sentence for the OpenAPI document.
  let summary: String
  let tag: Tag
  /// The required scope. Nil admits every client.
  let scope: Scope?
  let parameters: [APIParameter]
  let body: APIBody?
  /// The successful answers. The refusals follow from the other properties.
  let replies: [APIReply]
  let options: Options
  /// Returns the target for the audit log that the body names. It isn't used if the path has names.
  let target: @Sendable (JSONNode) -> String?
  let answer: Answer

  /// - Parameters:
  ///   - path: the path below `/api/v1/`. A path that begins with a slash is complete.
  ///   - target: returns the target for the audit log that the body names: its `name`, by default.
  init(
    _ method: HTTPRequest.Method, _ path: String, operation: String, summary: String,
    tag: Tag, for scope: Scope?, parameters: [APIParameter] = [], body: APIBody? = nil,
    replies: [APIReply], options: Options = [],
    target: @escaping @Sendable (JSONNode) -> String? = { $0["name"]?.string },
    answer: @escaping Answer
  ) {
    self.method = method
    self.path = path.hasPrefix("/") ? path : "/api/v1/\(path)"
    names = RouteTable.names(in: self.path)
    self.operation = operation
    self.summary = summary
    self.tag = tag
    self.scope = scope
    self.parameters = parameters
    self.body = body
    self.replies = replies
    self.options = options
    self.target = target
    self.answer = answer
  }

  /// Whether the audit log has a line for each request.
  var isAudited: Bool { method != .get && !options.contains(.unaudited) }

  /// The reasons why a body can't be checked. The list is empty for a valid route.
  var faults: [String] {
    (body?.shapes ?? []).compactMap { shape in
      if let fault = shape.fault { return fault }
      return shape.isSent ? nil : "\(operation) takes a \(shape.name), which nothing checks."
    }
  }

  /// Returns whether the work for a request is cancelled when its client disconnects.
  func endsWithClient(_ request: Request) -> Bool {
    if options.contains(.streams) { return true }
    return options.contains(.slow) && request.headers[.idempotencyKey] == nil
  }
}
