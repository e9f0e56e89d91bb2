/// The form of an agent's tokens, `bulkhead_ID_SECRET`: what has it is a secret wherever it stands,
/// in whatever agent it was made.
enum TokenPattern {
  private static let prefix = Array("bulkhead_".utf8)
  /// The exact length, so that no metric (`bulkhead_http_requests_total`) is taken for a token.
  private static let idLength = 12
  /// A whole secret has 43 characters; one that a message has cut at its end is hidden, too.
  private static let shortestSecret = 30

  /// The text without tokens; their ids, which aren't secret, stay.
  static func redacted(_ text: String) -> String {
    // All that most texts cost is a look for the letter b.
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

  /// Where the secret half stands, behind an id that ends with an underscore.
  private static func secret(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    let id = bytes[start...].prefix(while: isLetter)
    guard id.count == idLength, id.endIndex < bytes.count, bytes[id.endIndex] == UInt8(ascii: "_")
    else {
      return nil
    }
    let begin = id.endIndex + 1
    let secret = bytes[begin...].prefix {
      isLetter($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
    return secret.count >= shortestSecret ? begin..<secret.endIndex : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
