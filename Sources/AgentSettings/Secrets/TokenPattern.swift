internal import AgentText

/// The form of an agent's tokens, `bulkhead_ID_SECRET`. Every text of this form is a secret,
/// whichever agent made it.
enum TokenPattern {
  private static let prefix = Array("bulkhead_".utf8)
  /// The exact length of an id, so that a metric such as `bulkhead_http_requests_total` isn't taken
  /// for a token.
  private static let idLength = 12
  /// The shortest secret that is hidden. A complete secret has 43 characters. A message may have
  /// cut it.
  private static let shortestSecret = 30

  /// Returns the text without the secrets of tokens. Their ids aren't secret and stay.
  static func redacted(_ text: String) -> String {
    // Most texts don't hold this byte, so they need only this search.
    guard text.utf8.contains(prefix[0]) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var kept = 0
    var position = 0
    while let start = next(in: bytes, from: position) {
      position = start + prefix.count
      guard let secret = secret(in: bytes, from: position) else { continue }
      result += bytes[kept..<secret.lowerBound]
      result += Array(Redactor.replacement.utf8)
      (kept, position) = (secret.upperBound, secret.upperBound)
    }
    return kept == 0 ? text : String(decoding: result + bytes[kept...], as: UTF8.self)
  }

  private static func next(in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= prefix.count, start <= bytes.count - prefix.count else { return nil }
    return (start...(bytes.count - prefix.count)).first { index in
      bytes[index] == prefix[0] && bytes[index..<(index + prefix.count)].elementsEqual(prefix)
    }
  }

  /// Returns the place of the secret behind an id and an underscore.
  private static func secret(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    let id = bytes[start...].prefix(while: \.isASCIIAlphanumeric)
    guard id.count == idLength, id.endIndex < bytes.count, bytes[id.endIndex] == UInt8(ascii: "_")
    else {
      return nil
    }
    let begin = id.endIndex + 1
    let secret = bytes[begin...].prefix {
      $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
    return secret.count >= shortestSecret ? begin..<secret.endIndex : nil
  }
}
