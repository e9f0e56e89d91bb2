public import AgentJSON

/// Where a bot wants to be told what it is offered.
public struct BotWebhook: Sendable, Hashable {
  /// Where to: http or https.
  public var url: String
  /// The name of the secret that signs what is sent; nil for no signature.
  public var secret: String?

  /// A webhook.
  public init(url: String, secret: String? = nil) {
    self.url = url
    self.secret = secret
  }

  /// Scheme, host and port of the address: what else is in it may be secret.
  public var origin: String {
    guard let scheme = url.firstRange(of: "://") else { return "" }
    let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return String(url[..<scheme.upperBound] + (host ?? authority))
  }

  /// As it is shown to who may not see all of the address.
  public var shown: JSONValue { BotWebhook(url: origin, secret: secret).json }

  /// As it is written in JSON.
  var json: JSONValue {
    var object: JSONObject = ["url": .string(url)]
    object["secret"] = secret.map(JSONValue.string)
    return .object(object)
  }
}
