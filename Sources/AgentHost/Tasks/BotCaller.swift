internal import AgentAssignment
internal import AgentBots
internal import AgentEvents
internal import AgentJSON
internal import AgentNotifications
internal import AgentSettings
internal import AgentSystem

/// Sends offers to the webhooks of bots.
struct BotCaller: Sendable {
  let allowsPrivate: Bool
  /// Returns the value of a secret, or nil if it isn't set.
  let secret: @Sendable (String) -> String?
  let now: @Sendable () -> Int64

  /// Checks the address and the secret of a webhook.
  /// - Returns: the problem as a sentence; nil if there is none.
  func problem(with webhook: BotWebhook) -> String? {
    if let problem = WebCall.problem(with: webhook.url) { return problem }
    guard let name = webhook.secret, secret(name) == nil else { return nil }
    return "There is no secret \(name). Add it to .env, and reload the settings."
  }

  /// Sends an offer, signed with the webhook's secret.
  /// - Returns: the body of the response; null if it isn't JSON.
  /// - Throws: ``BotUnreached`` if the receiver didn't accept the offer.
  func send(_ offer: BotCall) async throws -> JSONValue {
    // Checked again before each request: the settings may have changed since the registration.
    if let problem = problem(with: offer.webhook) { throw BotUnreached(problem, isFinal: true) }
    var call = WebCall(url: offer.webhook.url)
    call.method = "POST"
    call.allowsPrivate = allowsPrivate
    call.timeout = 10_000
    // Bots have their own lookups: a slow name server must not delay other requests.
    call.lookup = .bots
    let moment = now()
    let body: JSONValue = [
      "type": "assignment.offered", "timestamp": JSONValue(moment), "data": .object(offer.offer),
    ]
    call.headers["content-type"] = "application/json"
    call.body = body.bytes()
    call.sign(id: offer.id, secret: offer.webhook.secret.flatMap(secret), seconds: moment / 1000)
    do {
      return try Self.taken(try await call.send())
    } catch let failure as DeliveryFailure {
      throw BotUnreached(failure.message, isFinal: failure.isFinal, retryAfter: failure.retryAfter)
    }
  }

  /// Returns the body of a successful response.
  private static func taken(_ answer: WebCall.Answer) throws(BotUnreached) -> JSONValue {
    switch answer.status {
    case 200..<300: return (try? JSONValue(parsing: answer.body)) ?? .null
    // A redirect could send a signed offer to an address that was never checked.
    case 300..<400:
      throw BotUnreached(
        "The receiver answered with a redirect (\(answer.status)), which isn't followed. Register "
          + "the address that it names.", isFinal: true)
    default:
      let seconds = answer.headers["retry-after"].flatMap { Int64($0) }
      // 410: the receiver wants no further requests (Standard Webhooks, "Delivery").
      throw BotUnreached(
        "The receiver answered \(answer.status).", isFinal: answer.status == 410,
        // A day at most, because the header comes from outside. A larger number would stop the
        // offers for years.
        retryAfter: seconds.map { $0.clamped(to: 0...86_400).multiplied(1000) })
    }
  }
}

extension BotCaller {
  init(_ settings: AgentSettings) {
    let variables = settings.variables
    self.init(
      allowsPrivate: settings.bots.allowsPrivate, secret: { variables.secret($0) },
      now: { Timestamp.now() })
  }
}
