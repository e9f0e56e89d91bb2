import AgentJSON

extension Evaluation {
  /// `contentEncoding` and `contentMediaType` of a text, where the options make them demands.
  mutating func checkContent(_ rule: ContentRule, _ subject: Subject) -> Bool {
    guard let text = subject.node.string else { return true }
    var bytes = Array(text.utf8)
    if rule.isBase64 {
      guard let decoded = Base64.decoded(bytes) else {
        return fail("contentEncoding", subject, .notBase64(text))
      }
      bytes = decoded
    }
    guard rule.isJSON else { return true }
    do {
      _ = try JSONDocument(parsing: bytes)
      return true
    } catch {
      return fail("contentMediaType", subject, .notJSON(text, error))
    }
  }
}

extension ContentRule {
  /// Whether a text holds what it should.
  func admits(_ text: String) -> Bool {
    var bytes = Array(text.utf8)
    if isBase64 {
      guard let decoded = Base64.decoded(bytes) else { return false }
      bytes = decoded
    }
    return !isJSON || (try? JSONDocument(parsing: bytes)) != nil
  }
}

extension Explanation {
  fileprivate static func notBase64(_ text: String) -> Explanation {
    Explanation(expected: "a text encoded as base64", found: FoundText.quoted(text))
  }

  fileprivate static func notJSON(_ text: String, _ error: JSONParseError) -> Explanation {
    Explanation(
      expected: "a text that holds JSON", found: FoundText.quoted(text),
      suggestion: "\(error)")
  }
}

/// Base64 with padding and without line breaks (RFC 4648, section 4).
enum Base64 {
  /// The bytes that `text` encodes; nil where it isn't base64.
  static func decoded(_ text: [UInt8]) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    for (index, letter) in text.dropLast(padding).enumerated() {
      guard let value = value(of: letter) else { return nil }
      bits = bits << 6 | UInt32(value)
      // After the second, third and fourth letter of each group another byte is whole.
      if index % 4 != 0 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - index % 4 * 2)))
      }
    }
    return bytes
  }

  private static func value(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
