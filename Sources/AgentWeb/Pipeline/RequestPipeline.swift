internal import AgentAccess
internal import AgentDiagnostics
internal import AgentEvents
internal import AgentHost
internal import AgentJSON
internal import AgentLogging
internal import AgentSettings
internal import AgentSystem
internal import AgentTraces
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// The stages between a connection and a route. Before the route: the principal, its scope and the
/// request. After it: problems, the audit log, the access log and the metrics.
struct RequestPipeline: HTTPResponder {
  typealias Context = ConnectionContext

  let host: HostApplication
  let table: RouteTable
  let listenerKind: ListenerKind
  private let ids: RequestIDs
  private let names: HostNames?
  private let limiter: RateLimiter?
  private let reader: RequestReader
  private let log: AccessLog?
  private let metrics: RequestMetrics
  private let bodies: BodyBudget
  private let shares = LargeAnswerShares()
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - log: the access log. Nil means that requests aren't logged.
  ///   - now: the clock of the rate limits, in milliseconds.
  init(
    _ api: API, host: HostApplication, listenerKind: ListenerKind, log: AccessLog? = nil,
    now: @escaping @Sendable () -> Int64 = { Timestamp.now() }
  ) {
    self.host = host
    self.now = now
    table = api.table
    metrics = api.metrics
    bodies = api.bodies
    self.listenerKind = listenerKind
    self.log = log
    ids = RequestIDs(startedAt: host.start.at, listenerKind: listenerKind.letter)
    names = listenerKind.settings.map(HostNames.init)
    limiter = listenerKind.settings.map {
      RateLimiter(rate: $0.limits.requestsPerSecond, burst: $0.limits.burst)
    }
    var reader = RequestReader()
    if let limits = listenerKind.settings?.limits {
      reader.limit = limits.body
      reader.depth = limits.depth
    }
    self.reader = reader
  }

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    let match = table.match(request.uri.path)
    let address = ClientAddress.of(
      request.headers, from: context.address, trusting: listenerKind.settings?.trustedProxies ?? [])
    var context = RequestContext(
      request: request, match: match, address: address, channel: context.channel, began: .now,
      id: ids.id(asked: request.headers[.requestID]))
    metrics.began()
    guard match?.route(request.method)?.endsWithClient(request) == true else {
      return await respond(to: context)
    }
    context.client = await ClientPresence.of(context.channel)
    return await apart(context)
  }

  /// Answers in a task of its own. The task is cancelled when the client disconnects and when the
  /// request's token ends. The task of a GET is also cancelled when the host begins to stop,
  /// because the server waits for every answer.
  ///
  /// Rationale: the connection's task must stay free to close the connection. A task also keeps the
  /// memory that it once needed. A stream of hours would keep the memory of the whole pipeline.
  private func apart(_ context: RequestContext) async -> Response {
    let tokenEnd = TokenEnd()
    let work = Task {
      var context = context
      context.tokenEnd = tokenEnd
      return await respond(to: context)
    }
    context.client?.whenGone { work.cancel() }
    let number = tokenEnd.whenEnded { work.cancel() }
    let isRead = context.request.method == .get
    let ending = isRead ? host.lifecycle.whenEnding { work.cancel() } : 0
    defer {
      context.client?.isAwaitedNoMore()
      tokenEnd.forget(number)
      host.lifecycle.forgetEnding(ending)
    }
    return await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
  }

  private func respond(to context: RequestContext) async -> Response {
    var context = context
    var response: Response
    do {
      response = try await answer(&context)
      let accepted = context.request.headers[.acceptEncoding]
      try await Compression.apply(&response, accepting: accepted)
    } catch {
      var problem = APIProblem(thrown: error)
      // A module may have written the message, so it may hold a secret.
      problem = problem.redacted(by: host.settings.redactor)
      context.problem = problem
      response = problem.response(id: context.id)
    }
    finish(&response, context)
    LargeAnswer.account(
      &response, in: host.events.streams, keeping: context.slot, end: context.endConnection)
    // From here on the account holds back the next one.
    context.permit?.end()
    await record(context, &response)
    return response
  }

  // MARK: Before

  private func answer(_ context: inout RequestContext) async throws -> Response {
    let request = context.request
    let match = context.match
    let open = match?.route(request.method)
    let isOpen = open.map { $0.scope == nil } ?? false
    // A request with a foreign name or origin is refused before its token is looked at.
    try checkNames(request)
    if request.method == .options, let preflight = preflight(request) { return preflight }
    if open?.options.contains(.unlimited) != true {
      // The address is limited before the token is compared, so that guesses of tokens are limited
      // too.
      try limit("@\(NetworkPrefix.client(at: context.address))")
    }
    try RequestTarget.checkEncoding(of: request)
    context.route = open
    let isUnlimited = open?.options.contains(.unlimited) == true
    // A monitor's answer depends neither on its token nor on what others did with that.
    let principal =
      isUnlimited && isOpen
      ? Self.anybody : try principal(request, from: context.address, isOpen: isOpen)
    context.principal = principal
    if !isUnlimited { try limit(principal) }
    // An unknown path is reported only to clients with a valid token. Others learn nothing about
    // the routes.
    guard let match else {
      throw HostError(.notFound, "There is nothing at \(request.uri.path).")
    }
    guard let route = open else { throw Self.wrongMethod(request, match) }
    context.values = match.named(by: route)
    if let scope = route.scope, route.options.isDisjoint(with: [.checksScope, .anyScope]),
      !principal.may(scope)
    {
      throw APIProblem.forbidden(principal, needs: scope)
    }
    if principal.kind == .bot, route.scope != nil, !route.options.contains(.forBots) {
      throw APIProblem.forBotsOnly(principal)
    }
    return try await host.tracer.serving(request, by: route, redactor: host.settings.redactor) {
      context.trace = Tracer.current
      guard let tokenEnd = context.tokenEnd else {
        return try await answer(route, principal: principal, context: &context)
      }
      try tokenEnd.observe(principal, of: host.access)
      return try await tokenEnd.bounding(route) {
        try await answer(route, principal: principal, context: &context)
      }
    }
  }

  private func answer(
    _ route: APIRoute, principal: Principal, context: inout RequestContext
  ) async throws -> Response {
    let query = try reader.query(context.request, for: route)
    // The client may send its body only after the principal, the scope and the route are checked.
    await ConnectionWatch.expectBody(context.request, of: route, on: context.channel)
    // The owner's own commands don't wait for clients.
    let share =
      listenerKind.settings == nil || route.body == nil
      ? nil : bodies.share(of: principal.bucket, end: context.endConnection)
    defer { share?.end() }
    let (bytes, document) = try await reader.body(context.request, for: route, counting: share)
    try reader.path(context.values, for: route)
    context.target = document.flatMap { route.target($0.root) }
    context.received = bytes.count
    let account =
      route.options.contains(.streams)
      ? host.events.streams.account(context.endConnection) : nil
    let call = APICall(
      request: context.request, principal: principal, address: context.address, id: context.id,
      client: context.client, tokenEnd: context.tokenEnd, account: account,
      share: share, values: context.values, query: query, bytes: bytes, document: document)
    if let key = context.request.headers[.idempotencyKey] {
      let middleware = IdempotencyMiddleware(store: try host.access.idempotencyKeys) {
        [log = host.log] in
        log.log(.warning, $0)
      }
      return try await middleware.answer(call, route, key: key)
    }
    if route.options.contains(.large) { try await permit(&context, for: principal) }
    guard route.options.contains(.streams) else { return try await route.answer(call) }
    if route.options.contains(.ends) { await ConnectionWatch.answersWhole(on: context.channel) }
    return try await metrics.stream(
      most: listenerKind.settings?.limits.streams, for: principal.bucket
    ) {
      try await route.answer(call)
    }
  }

  /// Waits until a large answer may be made. The owner's own commands don't wait for clients.
  private func permit(_ context: inout RequestContext, for principal: Principal) async throws {
    guard listenerKind.settings != nil else { return }
    context.slot = try shares.slot(for: principal.bucket)
    context.permit = await host.events.streams.permit()
    guard context.channel.isActive else { throw CancellationError() }
  }

  private func checkNames(_ request: Request) throws {
    guard let names else { return }
    let authority = try RequestTarget.authority(of: request)
    guard names.allows(host: authority) else {
      let name = authority ?? ""
      throw APIProblem(
        .misdirectedRequest, code: "misdirected",
        message:
          "This agent isn't called \"\(name)\". http.allowed_hosts in the settings lists its names "
          + "besides localhost and its address.")
    }
    guard let origin = request.headers[.origin] else { return }
    guard names.allows(origin: origin, host: authority) else {
      throw APIProblem(
        .forbidden, code: "foreign_origin",
        message:
          "Pages of \(origin) may not use this agent; http.cors_origins in the settings lists the "
          + "origins that may.")
    }
  }

  /// Limits the requests of a token. Requests without a token are limited by their address only. If
  /// they shared a bucket, each client could exclude all others.
  private func limit(_ principal: Principal) throws {
    guard principal.kind != .local, principal.token != nil else { return }
    try limit(principal.bucket)
  }

  private func limit(_ name: String) throws {
    guard let limiter, let wait = limiter.wait(name, now: now()) else { return }
    let seconds = wait / 1000 &+ (wait % 1000 > 0 ? 1 : 0)
    var problem = APIProblem(
      .tooManyRequests, code: "too_many_requests",
      message: "Too many requests. Retry in \(seconds) s. http.limits in the settings sets "
        + "the limit.")
    problem.headers[.retryAfter] = "\(seconds)"
    throw problem
  }

  /// The principal of a request without a token.
  private static let anybody = Principal(kind: .program, name: "anybody", scopes: [])

  /// Returns the principal. On the socket it is known already. On a port a token names it.
  private func principal(
    _ request: Request, from address: String, isOpen: Bool
  ) throws -> Principal {
    guard case .port(let settings) = listenerKind else { return ListenerKind.local }
    guard let header = request.headers[.authorization] else {
      if settings.allowsLocalWithoutToken { return ListenerKind.local }
      if isOpen { return Self.anybody }
      throw APIProblem.unauthenticated("A token is needed: Authorization: Bearer TOKEN.")
    }
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts.first?.lowercased() == "bearer", let token = parts.last else {
      throw APIProblem.unauthenticated(
        "The Authorization header must be Bearer and a token; found another scheme.")
    }
    return try host.access.principal(bearer: token)
  }

  private static func wrongMethod(_ request: Request, _ match: RouteTable.Match) -> APIProblem {
    let methods = match.routes.map(\.method.rawValue)
    var problem = APIProblem(
      .methodNotAllowed, code: "method_not_allowed",
      message: "\(request.uri.path) has no \(request.method.rawValue); there is "
        + methods.joined(separator: ", ") + ".")
    problem.headers[.allow] = methods.joined(separator: ", ")
    return problem
  }

  /// Returns the answer to a browser's preflight request for a page of another origin.
  private func preflight(_ request: Request) -> Response? {
    guard let origin = request.headers[.origin], names?.isNamed(origin) == true,
      request.headers[.accessControlRequestMethod] != nil
    else { return nil }
    let methods = table.match(request.uri.path)?.routes.map(\.method.rawValue) ?? []
    return Response(
      status: .noContent,
      headers: [
        .accessControlAllowMethods: methods.joined(separator: ", "),
        .accessControlAllowHeaders: "authorization, content-type, if-match, if-none-match, "
          + "idempotency-key, last-event-id, traceparent, tracestate, x-request-id",
        .accessControlMaxAge: "600",
      ])
  }

  // MARK: After

  private func finish(_ response: inout Response, _ context: RequestContext) {
    response.headers[.requestID] = context.id
    response.headers[.xContentTypeOptions] = "nosniff"
    // Answers hold the state of the agent, so no cache may keep them unless a route allows it.
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    if let origin = context.request.headers[.origin], names?.isNamed(origin) == true {
      response.headers[.accessControlAllowOrigin] = origin
      response.headers[values: .vary].append("origin")
      response.headers[.accessControlExposeHeaders] =
        "etag, x-request-id, retry-after, idempotency-replayed"
    }
    if context.request.method == .head { response = response.createHeadResponse() }
  }

  private func record(_ context: RequestContext, _ response: inout Response) async {
    metrics.ended(context, &response)
    log?.write(context, response)
    guard let route = context.route, route.isAudited, let principal = context.principal else {
      return
    }
    let path = route.names.compactMap { context.values[$0] }
    let entry = AuditLog.Entry(
      actor: principal, address: context.address, client: NetworkPrefix.client(at: context.address),
      action: route.operation,
      target: path.isEmpty ? context.target ?? "" : path.joined(separator: "/"),
      outcome: context.problem?.code
        ?? (response.headers[.idempotencyReplayed] == nil ? "done" : "replayed"),
      detail: ["request_id": .string(context.id), "status": JSONValue(response.status.code)])
    // The audit line is written in the trace of the request, although its span has ended.
    await Tracer.$current.withValue(context.trace) { await host.access.record(entry) }
  }
}
