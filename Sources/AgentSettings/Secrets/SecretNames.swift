/// The keys whose values are probably secret, so that they are never shown.
///
/// The name alone decides. It is used for values that neither a schema nor a reference declares as
/// secret.
public enum SecretNames {
  private static let words = [
    "password", "passwd", "passphrase", "secret", "token", "credential", "api_key", "apikey",
    "access_key", "private_key", "authorization", "cookie",
  ]

  /// Returns whether a key names a secret, such as `DB_PASSWORD` or `apiKey`.
  public static func tells(_ key: String) -> Bool {
    let key = key.lowercased().replacing("-", with: "_")
    return words.contains { key.contains($0) }
  }
}
