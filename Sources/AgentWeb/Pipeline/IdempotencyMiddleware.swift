internal import AgentAccess
internal import AgentStore
internal import AgentHost
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// Runs a request with an `Idempotency-Key` once, and gives each repetition the first answer.
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
    // The address belongs to the request. The same body sent to another address is a different
    // request.
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
        "The request with this Idempotency-Key failed, or the host stopped while it processed it. "
          + "It is unknown how much was done. Check, and use another key to repeat it.")
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
      if Self.isRefusal(error) {
        // Nothing was done, so the request may be sent again. If the key can't be removed, the
        // client still gets the refusal, and a repetition gets the answer that the outcome is
        // unknown.
        do { try await book.abandon(principal, key: key) } catch { _ = error }
      } else {
        book.interrupt(principal, key: key)
      }
      throw error
    }
    // A stream can't be stored, so its key is free again.
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

extension IdempotencyMiddleware {
  /// Returns whether an error says that nothing of the request was done.
  ///
  /// Rationale: a time-out, or a failure of a module or the disk, may come after the work. If the
  /// key were removed then, a repetition would run the request twice. The client uses the key to
  /// exclude that.
  static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: [.full, .group, .closed, .corrupt].contains(error.code)
    case let error as HostError where error.code == .notReady: true
    case let error as AccessError where error.code == .notReady: true
    case is CancellationError: false
    default: APIProblem(thrown: error).status.code < 500
    }
  }
}

extension HTTPField.Name {
  static let idempotencyReplayed = HTTPField.Name("Idempotency-Replayed") ?? .server
}
