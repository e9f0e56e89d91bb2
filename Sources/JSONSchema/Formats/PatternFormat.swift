/// Regular expressions of ECMA-262: what can be compiled as a `pattern`.
enum PatternFormat {
  static func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    guard let text = try? UTF8Span(validating: bytes) else { throw .pattern }
    do {
      _ = try Pattern(String(copying: text))
    } catch {
      throw .pattern
    }
  }
}
