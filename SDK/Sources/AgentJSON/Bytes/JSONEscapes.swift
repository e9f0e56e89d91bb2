extension UInt8 {
  /// Whether RFC 8259 requires an escape for this byte within a string.
  var needsEscape: Bool { self < 0x20 || self == .quote || self == .backslash }

  /// The letter of the short escape for this byte, if there is one.
  fileprivate var shortEscape: UInt8? {
    switch self {
    case .quote, .backslash: self
    case .lineFeed: UInt8(ascii: "n")
    case .carriageReturn: UInt8(ascii: "r")
    case .tab: UInt8(ascii: "t")
    case 0x08: UInt8(ascii: "b")
    case 0x0C: UInt8(ascii: "f")
    default: nil
    }
  }
}

extension String {
  /// Whether the string needs escapes in JSON.
  var needsEscapes: Bool {
    let bytes = utf8.span
    for index in bytes.indices where bytes[index].needsEscape { return true }
    return false
  }
}

extension [UInt8] {
  /// Appends `text` with quotes and only the necessary escapes.
  mutating func appendJSONString(_ text: String) {
    append(.quote)
    if text.needsEscapes {
      for byte in text.utf8 { appendEscaped(byte) }
    } else {
      append(contentsOf: text.utf8)
    }
    append(.quote)
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    guard byte.needsEscape else { return append(byte) }
    append(.backslash)
    if let letter = byte.shortEscape { return append(letter) }
    let digits = Array("0123456789abcdef".utf8)
    append(contentsOf: "u00".utf8)
    append(digits[Int(byte >> 4)])
    append(digits[Int(byte & 15)])
  }

  /// Appends the bytes that the valid string content `source` represents.
  mutating func appendUnescaped(_ source: Span<UInt8>) {
    var index = 0
    while index < source.count {
      guard source[index] == .backslash else {
        append(source[index])
        index += 1
        continue
      }
      index += 1
      appendEscape(source, &index)
    }
  }

  private mutating func appendEscape(_ source: Span<UInt8>, _ index: inout Int) {
    let letter = source[index]
    index += 1
    switch letter {
    case UInt8(ascii: "n"): append(.lineFeed)
    case UInt8(ascii: "r"): append(.carriageReturn)
    case UInt8(ascii: "t"): append(.tab)
    case UInt8(ascii: "b"): append(0x08)
    case UInt8(ascii: "f"): append(0x0C)
    case UInt8(ascii: "u"): appendScalar(source, &index)
    default: append(letter)
    }
  }

  private mutating func appendScalar(_ source: Span<UInt8>, _ index: inout Int) {
    var code = source.hexadecimal(at: index) ?? 0
    index += 4
    if code & 0xFC00 == 0xD800 {
      let low = source.hexadecimal(at: index + 2) ?? 0
      code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF)
      index += 6
    }
    append(contentsOf: Unicode.Scalar(code).map { Array(String($0).utf8) } ?? [])
  }
}

extension Span<UInt8> {
  /// Returns the value of four hexadecimal digits at `index`, or `nil`.
  func hexadecimal(at index: Int) -> UInt32? {
    guard index + 4 <= count else { return nil }
    var value: UInt32 = 0
    for position in index..<index + 4 {
      guard let digit = self[position].hexadecimalValue else { return nil }
      value = value << 4 | digit
    }
    return value
  }
}
