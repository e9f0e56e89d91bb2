import ECMARegex

/// Regular expressions of ECMA-262.
enum PatternFormat {
  static func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    guard let text = try? UTF8Span(validating: bytes), Pattern.isWellFormed(String(copying: text))
    else { throw .pattern }
  }
}
