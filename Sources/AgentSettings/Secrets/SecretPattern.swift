/// A secret as it is searched for in a text: as it is, and with characters that JSON (RFC 8259,
/// section 7) or an address (RFC 3986, 2.1) has escaped. Writers differ in which characters they
/// escape, so each may be.
struct SecretPattern: Sendable {
  /// The secret as it is.
  let bytes: [UInt8]
  private let characters: [EscapedCharacter]

  /// - Parameter bytes: the secret in UTF-8; at least one byte.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A long secret, such as a key, has the same few characters over and over.
    var known: [Unicode.Scalar: EscapedCharacter] = [:]
    var characters: [EscapedCharacter] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let character = known[scalar] ?? EscapedCharacter(scalar)
      known[scalar] = character
      characters.append(character)
    }
    self.characters = characters
  }

  /// The bytes that the secret may begin with: its own, and those that begin an escaped character.
  var begins: [UInt8] { Array(bytes.prefix(1)) + Array("\\%+".utf8) }

  /// The length of the secret at a position of a text; nil when it isn't there.
  func length(in text: [UInt8], at position: Int) -> Int? {
    let rest = text[position...]
    if rest.starts(with: bytes) { return bytes.count }
    for depth in EscapedCharacter.depths {
      if let end = end(in: rest, depth: depth) { return end - position }
    }
    return nil
  }

  private func end(in text: ArraySlice<UInt8>, depth: Int) -> Int? {
    var rest = text
    for character in characters {
      guard let length = character.length(in: rest, depth: depth) else { return nil }
      rest = rest.dropFirst(length)
    }
    return rest.startIndex
  }
}

/// A character and the forms that it may have.
private struct EscapedCharacter: Sendable {
  /// How many times JSON was written into JSON: a line of a module, printed as JSON, stands in a
  /// record of the log, which is JSON, too.
  static let depths = 1...3

  /// The letters of the short forms in JSON.
  private static let letters: [Unicode.Scalar: UInt8] = [
    "\"": 0x22, "/": 0x2f, "\u{8}": 0x62, "\u{c}": 0x66, "\n": 0x6e, "\r": 0x72, "\t": 0x74,
  ]

  private let scalar: Unicode.Scalar
  private let plain: [UInt8]
  /// The other forms, with digits in lower case, by the depth.
  private let escaped: [Int: [[UInt8]]]

  init(_ scalar: Unicode.Scalar) {
    self.scalar = scalar
    let text = String(Character(scalar))
    var others = [text.utf8.flatMap { Array("%".utf8) + Self.hex($0, digits: 2) }]
    // Forms write a blank in this way.
    if scalar == " " { others.append(Array("+".utf8)) }
    var escaped: [Int: [[UInt8]]] = [:]
    for depth in Self.depths { escaped[depth] = others + Self.json(scalar, depth: depth) }
    self.plain = Array(text.utf8)
    self.escaped = escaped
  }

  /// The length of the character at the start of a text; nil when it isn't there.
  func length(in text: ArraySlice<UInt8>, depth: Int) -> Int? {
    // Most characters are as they are. A backslash in JSON never is.
    if scalar != "\\", text.starts(with: plain) { return plain.count }
    guard let first = text.first, [0x5c, 0x25, 0x2b].contains(first) else { return nil }
    return escaped[depth]?.first { text.starts(with: $0, by: Self.isSame) }?.count
  }

  private static func json(_ scalar: Unicode.Scalar, depth: Int) -> [[UInt8]] {
    // Each time, a backslash becomes two.
    let mark = [UInt8](repeating: 0x5c, count: 1 << (depth - 1))
    let units = String(Character(scalar)).utf16.flatMap {
      mark + Array("u".utf8) + hex($0, digits: 4)
    }
    if scalar == "\\" { return [units, mark + mark] }
    guard let letter = letters[scalar] else { return [units] }
    // A quotation mark gets a backslash of its own each time: one, three, seven.
    let marks = scalar == "\"" ? Array((mark + mark).dropLast()) : mark
    return [units, marks + [letter]]
  }

  /// Whether a byte of a text is that of a form. Hexadecimal digits may be in upper case.
  private static func isSame(_ byte: UInt8, _ form: UInt8) -> Bool {
    byte == form || ((0x41...0x46).contains(byte) && byte | 0x20 == form)
  }

  private static func hex(_ value: some BinaryInteger, digits: Int) -> [UInt8] {
    let text = Array(String(value, radix: 16).utf8)
    return [UInt8](repeating: 0x30, count: max(0, digits - text.count)) + text
  }
}
