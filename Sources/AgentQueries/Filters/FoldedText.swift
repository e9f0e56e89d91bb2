/// A text that is compared without case.
///
/// Rationale: `lowercased()` allocates a string for each comparison. Almost every value is ASCII,
/// whose bytes can be compared directly.
struct FoldedText: Sendable, Hashable {
  let lowered: String
  /// The bytes in lower case, if all are ASCII.
  private let ascii: [UInt8]?

  init(_ text: String) {
    lowered = text.lowercased()
    let bytes = Array(lowered.utf8)
    ascii = bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
  }

  /// Returns whether both texts are equal in lower case.
  func equals(_ text: String) -> Bool {
    guard let ascii else { return text.lowercased() == lowered }
    let quick = text.utf8.withContiguousStorageIfAvailable { Self.compare($0, ascii) }
    return quick.flatMap { $0 } ?? (text.lowercased() == lowered)
  }

  /// Returns nil if the bytes alone don't decide, because one of them isn't ASCII.
  private static func compare(_ bytes: UnsafeBufferPointer<UInt8>, _ wanted: [UInt8]) -> Bool? {
    guard bytes.count == wanted.count else {
      // Other letters may become ASCII in lower case, such as the Kelvin sign.
      return bytes.contains { $0 >= 0x80 } ? nil : false
    }
    for position in 0..<bytes.count {
      let byte = bytes[position]
      if byte >= 0x80 { return nil }
      if byte == wanted[position] { continue }
      guard isUpper(byte), byte | 0x20 == wanted[position] else {
        return bytes.contains { $0 >= 0x80 } ? nil : false
      }
    }
    return true
  }

  static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Returns a hash that is equal for texts that differ only in case.
  static func hash(_ text: String) -> Int {
    let quick = text.utf8.withContiguousStorageIfAvailable { asciiHash($0) }
    if let hash = quick.flatMap({ $0 }) { return hash }
    let lowered = composed(text.lowercased())
    let ascii = lowered.utf8.withContiguousStorageIfAvailable { asciiHash($0) }
    return ascii.flatMap { $0 } ?? lowered.hashValue
  }

  /// Replaces the three characters that are canonically equivalent to an ASCII one by that one.
  /// `==` sees no difference between them, so the hash must not either.
  private static func composed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x37E: scalars.append(";")
      case 0x1FEF: scalars.append("`")
      case 0x212A: scalars.append("k")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static func asciiHash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { lowered in
      var seen: UInt8 = 0
      for position in 0..<bytes.count {
        let byte = bytes[position]
        seen |= byte
        lowered[position] = isUpper(byte) ? byte | 0x20 : byte
      }
      guard seen < 0x80 else { return nil }
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(lowered))
      return hasher.finalize()
    }
  }
}
