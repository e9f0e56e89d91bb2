/// Which keys speak of secrets, so that what stands under them is shown to nobody.
///
/// It is a guess by the name alone, for what no schema and no reference calls secret.
public enum SecretNames {
  private static let words = [
    "password", "passwd", "passphrase", "secret", "token", "credential", "api_key", "apikey",
    "access_key", "private_key", "authorization", "cookie",
  ]

  /// Whether a key speaks of secrets: `DB_PASSWORD`, `apiKey`.
  public static func tells(_ key: String) -> Bool {
    let key = key.lowercased().replacing("-", with: "_")
    return words.contains { key.contains($0) }
  }
}
