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
  /// The value of a secret.
  let secret: @Sendable (String) -> String?
  let now: @Sendable () -> Int64

  /// Checks a bot's webhook and returns the problem as a sentence; nil when there is none.
  func problem(with webhook: BotWebhook) -> String? {
    if let problem = WebCall.problem(with: webhook.url) { return problem }
    guard let name = webhook.secret, secret(name) == nil else { return nil }
    return "There is no secret \(name). Add it to .env, and reload the settings."
  }

  /// Sends an offer.
  /// - Returns: what the receiver has answered, where that is JSON; null otherwise.
  func send(_ offer: BotCall) async throws -> JSONValue {
    if let problem = problem(with: offer.webhook) { throw BotUnreached(problem, isFinal: true) }
    var call = WebCall(url: offer.webhook.url)
    call.method = "POST"
    call.allowsPrivate = allowsPrivate
    call.timeout = 10_000
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

  private static func taken(_ answer: WebCall.Answer) throws(BotUnreached) -> JSONValue {
    switch answer.status {
    case 200..<300: return (try? JSONValue(parsing: answer.body)) ?? .null
    // A redirect could lead a signed offer to an address that nobody has checked.
    case 300..<400:
      throw BotUnreached(
        "The receiver answered with a redirect (\(answer.status)), which isn't followed. Register "
          + "the address that it names.", isFinal: true)
    default:
      let seconds = answer.headers["retry-after"].flatMap { Int64($0) }
      // 410: the receiver doesn't want any more (Standard Webhooks, "Delivery").
      throw BotUnreached(
        "The receiver answered \(answer.status).", isFinal: answer.status == 410,
        // A day at most: the header comes from outside, and a larger number would stop the offers
        // for ever.
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
