/// A key that is hashed and compared by its bytes.
struct ByteKey: Hashable {
  let text: String

  static func == (left: ByteKey, right: ByteKey) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    text.hashBytes(into: &hasher)
  }
}

extension String {
  /// Returns whether both texts have the same bytes. JSON compares names by code point, but `==`
  /// considers both encodings of "é" equal.
  func hasSameBytes(as other: String) -> Bool {
    // The string knows its count. A span needs a call into the library.
    utf8.count == other.utf8.count && utf8.span.isSame(as: other.utf8.span)
  }

  /// Feeds the bytes that `hasSameBytes` compares.
  func hashBytes(into hasher: inout Hasher) {
    utf8.span.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(0xFF as UInt8)
  }
}

extension Span<UInt8> {
  /// Whether both hold the same bytes.
  func isSame(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}
