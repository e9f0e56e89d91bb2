internal import AgentAccess
internal import AgentStore
internal import AgentHost
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird

/// Runs a request with an `Idempotency-Key` once, and gives each repetition the first answer.
struct IdempotencyMiddleware {
  let store: IdempotencyStore
  /// Takes a sentence for the person who runs the host.
  let warn: @Sendable (String) -> Void

  func answer(_ call: APICall, _ route: APIRoute, key: String) async throws -> Response {
    guard route.options.contains(.repeatable) else {
      throw HostError(.invalid, "\(route.operation) takes no Idempotency-Key.")
    }
    guard (1...IdempotencyStore.maxKeyBytes).contains(key.utf8.count) else {
      throw HostError(
        .invalid, "An Idempotency-Key has 1 to \(IdempotencyStore.maxKeyBytes) bytes.")
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
    switch try await store.admit(principal, key: key, request: request) {
    case .new: return try await work(call, route: route, principal: principal, key: key)
    case .answered(let row):
      var response = Response(
        bytes: row.body, as: row.contentType, status: .init(code: row.status ?? 200))
      response.headers[.idempotencyReplayed] = "true"
      return response
    case .notKept:
      throw APIProblem(
        .conflict, code: "reply_not_kept",
        message: "The request with this Idempotency-Key was completed. Its response had more than "
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
        .unprocessableContent, code: "key_reused",
        message: "This Idempotency-Key was used for another request. Use a new one.")
    }
  }

  private func work(
    _ call: APICall, route: APIRoute, principal: String, key: String
  ) async throws -> Response {
    let response: Response
    do {
      response = try await route.answer(call)
    } catch {
      if Self.isRefusal(error) {
        // Nothing was done, so the request may be sent again.
        await abandon(principal, key)
      } else {
        store.interrupt(principal, key: key)
      }
      throw error
    }
    let bytes: [UInt8]?
    do {
      bytes = try await BodyCollector.bytes(of: response.body)
    } catch {
      // Whatever the error is: the work was done, and must not be done again.
      store.interrupt(principal, key: key)
      throw error
    }
    guard let bytes else {
      await abandon(principal, key)
      return response
    }
    let type = response.headers[.contentType] ?? ""
    try await store.finish(
      principal, key: key, status: response.status.code, contentType: type, body: bytes)
    return response
  }

  /// Frees a key. If that can't be written, the client still gets its answer, and a repetition gets
  /// the answer that the outcome is unknown.
  private func abandon(_ principal: String, _ key: String) async {
    do {
      try await store.abandon(principal, key: key)
    } catch {
      warn("An idempotency key can't be freed, so its request can't be repeated with it. \(error)")
    }
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
