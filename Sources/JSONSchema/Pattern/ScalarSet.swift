/// A set of Unicode scalars: what one position of a pattern accepts.
///
/// Membership of an ASCII scalar is one bit test; everything else looks through the parts.
struct ScalarSet: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case range(ClosedRange<UInt32>)
    case property(ScalarProperty, negated: Bool)
  }

  let parts: [Part]
  let negated: Bool
  private let low: UInt64
  private let high: UInt64

  init(_ parts: [Part], negated: Bool = false) {
    self.parts = parts
    self.negated = negated
    var bits: [UInt64] = [0, 0]
    for value in UInt8.min..<128 {
      let found = Self.search(parts, Unicode.Scalar(value)) != negated
      if found { bits[Int(value >> 6)] |= 1 << UInt64(value & 63) }
    }
    low = bits[0]
    high = bits[1]
  }

  /// The set of one scalar.
  init(_ scalar: Unicode.Scalar) {
    self.init([.range(scalar.value...scalar.value)])
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 64 { return low >> UInt64(value) & 1 == 1 }
    if value < 128 { return high >> UInt64(value - 64) & 1 == 1 }
    return Self.search(parts, scalar) != negated
  }

  private static func search(_ parts: [Part], _ scalar: Unicode.Scalar) -> Bool {
    for part in parts {
      switch part {
      case .range(let range):
        if range.contains(scalar.value) { return true }
      case .property(let property, let negated):
        if property.holds(for: scalar) != negated { return true }
      }
    }
    return false
  }
}

extension ScalarSet {
  /// ECMA-262: digits, word characters and white space are fixed sets, whatever the language.
  static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  static let word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
  static let space: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ]

  /// What `.` accepts: all but the four line terminators.
  static let anyButLineEnd = ScalarSet(
    [.range(0x0A...0x0A), .range(0x0D...0x0D), .range(0x2028...0x2029)], negated: true)

  static func parts(_ ranges: [ClosedRange<UInt32>]) -> [Part] {
    ranges.map { .range($0) }
  }

  /// The parts of all that `ranges` (ascending, disjoint) leave out.
  static func parts(outside ranges: [ClosedRange<UInt32>]) -> [Part] {
    var parts: [Part] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { parts.append(.range(next...(range.lowerBound - 1))) }
      next = range.upperBound + 1
    }
    parts.append(.range(next...0x10FFFF))
    return parts
  }

  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    word.contains { $0.contains(scalar.value) }
  }
}
