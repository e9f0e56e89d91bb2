internal import AgentAccess
internal import HTTPTypes
internal import Hummingbird

/// One route of the API, said once: who may call it, with what, what comes back, and what does it.
/// The checks before it, the audit log and the OpenAPI document all read this declaration.
struct APIRoute: Sendable {
  /// What is particular about a route.
  struct Options: OptionSet, Sendable {
    let rawValue: Int
    /// Not in the audit log although it isn't a GET: it changes nothing, or is its own record.
    static let unaudited = Options(rawValue: 1)
    /// Its answer doesn't end by itself.
    static let streams = Options(rawValue: 2)
    /// It may take long: its work is cancelled when the client goes, unless that was said to come
    /// again, by an `Idempotency-Key`.
    static let slow = Options(rawValue: 4)
    /// Not in the OpenAPI document: a page for browsers, or what modules declare themselves.
    static let undocumented = Options(rawValue: 8)
    /// It can be repeated with an `Idempotency-Key`.
    static let repeatable = Options(rawValue: 16)
    /// Its query string or body names what may not be there: 404, as with a part of the path.
    static let named = Options(rawValue: 32)
    /// Everybody who has a token gets to it: it knows itself what scope it needs.
    static let checksScope = Options(rawValue: 64)
    /// Everybody who has a token may, whatever its scopes.
    static let anyScope = Options(rawValue: 128)
    /// A bot's own token opens it, when the route or the engine finds that it is about that bot or
    /// about what the bot was given. All others refuse such a token, whatever its scopes.
    static let forBots = Options(rawValue: 256)
    /// No rate limits it: what watches the agent must not be refused because somebody else asks
    /// much. It costs next to nothing.
    static let unlimited = Options(rawValue: 512)
    /// Its answer is sent in pieces and ends by itself: no time ends it, and a client can't take a
    /// part of it for the whole.
    static let ends = Options(rawValue: 1024)
  }

  /// What the routes are about, as the OpenAPI document groups them.
  enum Tag: String, Sendable, CaseIterable {
    case agent, processes, modules, settings, chat, events, queries, state, logs, access
    case diagnostics, notifications, metrics, tasks, bots, taskbot, schedules
  }

  typealias Answer = @Sendable (APICall) async throws -> Response

  let method: HTTPRequest.Method
  /// The whole path, with names in braces: `/api/v1/processes/{name}`; `{rest...}` stands for all
  /// that follows.
  let path: String
  /// The names in the path, in their order.
  let names: [String]
  /// What programs call it: `get_process`.
  let operation: String
  /// A sentence.
  let summary: String
  let tag: Tag
  /// The required scope. Nil admits every client.
  let scope: Scope?
  let parameters: [APIParameter]
  let body: APIBody?
  /// How it answers when it works; refusals follow from the rest.
  let replies: [APIReply]
  let options: Options
  let answer: Answer

  /// - Parameter path: below `/api/v1/`, unless it begins with a slash.
  init(
    _ method: HTTPRequest.Method, _ path: String, _ operation: String, _ summary: String,
    tag: Tag, for scope: Scope?, parameters: [APIParameter] = [], body: APIBody? = nil,
    replies: [APIReply], options: Options = [], answer: @escaping Answer
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
    self.answer = answer
  }

  /// Whether it is written to the audit log.
  var isAudited: Bool { method != .get && !options.contains(.unaudited) }

  /// Why what it is sent can't be checked; none where it can.
  var faults: [String] {
    (body?.shapes ?? []).compactMap { shape in
      if let fault = shape.fault { return fault }
      return shape.isSent ? nil : "\(operation) takes a \(shape.name), which nothing checks."
    }
  }

  /// Whether the work for a request ends when its client goes.
  func endsWithClient(_ request: Request) -> Bool {
    if options.contains(.streams) { return true }
    return options.contains(.slow) && request.headers[.idempotencyKey] == nil
  }
}
