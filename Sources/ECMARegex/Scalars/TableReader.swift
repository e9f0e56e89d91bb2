/// Reads the numbers of a generated table, in base 36 and lower case.
struct TableReader {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    rest = text
  }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number() -> UInt32 {
    var value: UInt32 = 0
    while let byte = rest.first, byte.isDigit || byte.isLowercaseLetter {
      value = value &* 36 &+ UInt32(byte < 0x3A ? byte - 0x30 : byte - 0x57)
      rest.removeFirst()
    }
    return value
  }

  /// Reads ranges up to the end or a mark. Each is the distance from the one before and the number
  /// of further members.
  mutating func ranges() -> [ClosedRange<UInt32>] {
    var ranges: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    while let byte = rest.first, byte.isDigit || byte.isLowercaseLetter {
      let first = next &+ number()
      let last = take("+") ? first &+ number() : first
      ranges.append(first...max(first, last))
      next = last &+ 1
      _ = take(" ")
    }
    return ranges
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isLowercaseLetter: Bool { (0x61...0x7A).contains(self) }
}
