internal import AgentAccess
internal import AgentStore
internal import AgentHost
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// Requests with an `Idempotency-Key`: done once, answered as often as they are sent.
struct IdempotencyMiddleware {
  let book: IdempotencyStore

  func answer(_ call: APICall, _ route: APIRoute, key: String) async throws -> Response {
    guard route.options.contains(.repeatable) else {
      throw HostError(.invalid, "\(route.operation) takes no Idempotency-Key.")
    }
    guard (1...IdempotencyStore.longestKey).contains(key.utf8.count) else {
      throw HostError(
        .invalid, "An Idempotency-Key has 1 to \(IdempotencyStore.longestKey) bytes.")
    }
    if route.body != nil, call.document == nil, call.bytes.isEmpty,
      call.request.headers[.contentType].flatMap(MediaType.init(header:)) == .lines
    {
      throw HostError(.invalid, "A stream of lines takes no Idempotency-Key; send a list.")
    }
    let principal = call.principal.key
    let request = Array("\(route.operation) \(call.request.head.path ?? "")\n".utf8) + call.bytes
    switch try await book.admit(principal, key: key, request: request) {
    case .new: return try await work(call, route, principal, key)
    case .answered(let row):
      var response = Response(
        bytes: row.body, as: row.contentType, status: .init(code: row.status ?? 200))
      response.headers[.idempotencyReplayed] = "true"
      return response
    case .notKept:
      throw APIProblem(
        .conflict, "reply_not_kept",
        "The request with this Idempotency-Key was completed. Its response had more than "
          + "\(IdempotencyStore.maxReplyBytes) bytes and wasn't stored. Check what it changed.")
    case .underWay:
      throw HostError(
        .conflict, "The request with this Idempotency-Key is still in progress.")
    case .interrupted:
      throw HostError(
        .conflict,
        "The host stopped while it processed the request with this Idempotency-Key. It is unknown "
          + "whether it was completed. Check, and use another key to repeat it.")
    case .different:
      throw APIProblem(
        .unprocessableContent, "key_reused",
        "This Idempotency-Key was used for another request. Use a new one.")
    }
  }

  private func work(
    _ call: APICall, _ route: APIRoute, _ principal: String, _ key: String
  ) async throws -> Response {
    let response: Response
    do {
      response = try await route.answer(call)
    } catch {
      // What was refused may come again, corrected or later.
      try await book.abandon(principal, key: key)
      throw error
    }
    guard let bytes = try await BodyCollector.bytes(of: response.body) else {
      try await book.abandon(principal, key: key)
      return response
    }
    let type = response.headers[.contentType] ?? ""
    try await book.finish(
      principal, key: key, status: response.status.code, contentType: type, body: bytes)
    return response
  }
}

extension HTTPField.Name {
  static let idempotencyReplayed = HTTPField.Name("Idempotency-Replayed") ?? .server
}
