internal import AgentJSON

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

  /// As it is written in JSON.
  var json: JSONValue {
    var object: JSONObject = ["url": .string(url)]
    object["secret"] = secret.map(JSONValue.string)
    return .object(object)
  }
}
