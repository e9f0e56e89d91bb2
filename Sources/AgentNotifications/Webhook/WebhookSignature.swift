internal import AgentJSON
internal import CSodium

/// The signature of Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks,
/// spec/standard-webhooks.md): `v1,` and the base64 of HMAC-SHA256 over id, timestamp and body,
/// joined by dots.
struct WebhookSignature: Sendable {
  private static let prefix = "whsec_"
  /// Once a process; no call of the library before it.
  private static let isReady: Bool = sodium_init() >= 0

  private let key: [UInt8]

  /// - Parameter secret: `whsec_` and base64, or any text, whose UTF-8 bytes are the key then.
  init(secret: String) {
    let encoded = secret.hasPrefix(Self.prefix) ? secret.dropFirst(Self.prefix.count) : nil
    key = encoded.flatMap { JSONBase64.decode(String($0)) } ?? Array(secret.utf8)
  }

  /// The value of the header `webhook-signature`.
  /// - Parameter timestamp: Unix seconds.
  func header(id: String, timestamp: Int64, body: [UInt8]) -> String {
    precondition(Self.isReady, "libsodium can't be initialized")
    let content = Array("\(id).\(timestamp).".utf8) + body
    var state = crypto_auth_hmacsha256_state()
    var digest = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, content, UInt64(clamping: content.count))
    crypto_auth_hmacsha256_final(&state, &digest)
    return "v1,\(JSONBase64.encode(digest))"
  }
}
