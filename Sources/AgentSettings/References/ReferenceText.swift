/// A text with `${env:NAME}` and `${secret:NAME}`, split into its parts.
struct ReferenceText {
  /// A part of the text.
  enum Part: Hashable {
    case text(String)
    case variable(name: String, secret: Bool)
    /// A `${word:…}` with an unknown word or an invalid name.
    case invalid(String)
  }

  let parts: [Part]

  /// Returns whether the text may hold a reference. This is a cheap test before the text is parsed.
  static func mayHold(_ text: String) -> Bool { mayHold(text.utf8) }

  /// Returns whether the bytes of a whole file may hold a reference.
  static func mayHold(_ bytes: some Sequence<UInt8>) -> Bool {
    var dollar = false
    for byte in bytes {
      if dollar && byte == UInt8(ascii: "{") { return true }
      dollar = byte == UInt8(ascii: "$")
    }
    return false
  }

  /// Parses a text. `$${` stands for `${`. A `${…}` without a colon is ordinary text.
  init(_ text: String) {
    var parts: [Part] = []
    var plain = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      plain += rest[..<dollar]
      rest = rest[dollar...]
      if rest.hasPrefix("$${") {
        plain += "${"
        rest = rest.dropFirst(3)
      } else if let (part, length) = Self.reference(rest) {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        parts.append(part)
        rest = rest.dropFirst(length)
      } else {
        plain += "$"
        rest = rest.dropFirst()
      }
    }
    plain += rest
    if !plain.isEmpty || parts.isEmpty { parts.append(.text(plain)) }
    self.parts = parts
  }

  /// The reference, if the text consists of one reference and nothing else.
  var only: (name: String, secret: Bool)? {
    guard parts.count == 1, case .variable(let name, let secret)? = parts.first else { return nil }
    return (name, secret)
  }

  private static func reference(_ text: Substring) -> (Part, Int)? {
    guard text.hasPrefix("${"), let end = text.firstIndex(of: "}") else { return nil }
    let inside = text[..<end].dropFirst(2)
    guard let colon = inside.firstIndex(of: ":") else { return nil }
    let kind = inside[..<colon]
    let name = inside[inside.index(after: colon)...]
    guard kind.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    let whole = text[...end]
    guard kind == "env" || kind == "secret", isName(name) else {
      return (.invalid(String(whole)), whole.count)
    }
    return (.variable(name: String(name), secret: kind == "secret"), whole.count)
  }

  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
