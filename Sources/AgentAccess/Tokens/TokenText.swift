/// A bearer token in the form that its owner has: `bulkhead_ID_SECRET`.
///
/// Tools recognize leaked tokens by the prefix.
struct TokenText {
  static let prefix = "bulkhead_"
  private static let idBytes = 9
  private static let secretBytes = 32

  /// The public half.
  let id: String
  /// The secret half.
  private let secret: String

  /// Makes a random token.
  init() {
    // The id consists of letters and digits only, because an underscore ends it.
    var id = ""
    while id.utf8.count < 12 {
      id += Digest.randomText(bytes: Self.idBytes).filter { $0 != "_" && $0 != "-" }
    }
    self.id = String(id.prefix(12))
    secret = Digest.randomText(bytes: Self.secretBytes)
  }

  /// Reads a token. Nil means that the text isn't one.
  init?(parsing text: some StringProtocol) {
    guard text.hasPrefix(Self.prefix), text.utf8.count <= 200 else { return nil }
    let rest = text.dropFirst(Self.prefix.count)
    guard let end = rest.firstIndex(of: "_") else { return nil }
    id = String(rest[..<end])
    secret = String(rest[rest.index(after: end)...])
    guard !id.isEmpty, !secret.isEmpty else { return nil }
  }

  var text: String { "\(Self.prefix)\(id)_\(secret)" }

  /// The digest that is stored. The secret has 256 random bits, so a fast digest is as safe as a
  /// slow one.
  var digest: [UInt8] { Digest.of(Array(secret.utf8)) }
}
