public import AgentJSON

/// The address that a bot's offers are sent to.
public struct BotWebhook: Sendable, Hashable {
  /// An http or https URL.
  public var url: String
  /// The name of the secret that signs each request. Nil means no signature.
  public var secret: String?

  /// Creates a webhook.
  public init(url: String, secret: String? = nil) {
    self.url = url
    self.secret = secret
  }

  /// Scheme, host and port of the address. The rest of the address may be secret.
  public var origin: String {
    guard let scheme = url.firstRange(of: "://") else { return "" }
    let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return String(url[..<scheme.upperBound] + (host ?? authority))
  }

  /// The webhook as JSON with ``origin`` in place of the URL, for readers who may not see the URL.
  public var shown: JSONValue { BotWebhook(url: origin, secret: secret).json }

  /// The webhook as JSON.
  var json: JSONValue {
    var object: JSONObject = ["url": .string(url)]
    object["secret"] = secret.map(JSONValue.string)
    return .object(object)
  }
}
