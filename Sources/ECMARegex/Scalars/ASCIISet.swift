/// A set of ASCII bytes: one bit for each.
package struct ASCIISet: Sendable, Hashable {
  package private(set) var low: UInt64 = 0
  package private(set) var high: UInt64 = 0

  package init() {}

  init(_ byte: UInt8) {
    set(byte, true)
  }

  /// Creates the set of the ASCII characters in the ranges.
  init(_ ranges: [ClosedRange<UInt32>]) {
    for range in ranges where range.lowerBound < 128 {
      low |= Self.bits(range, from: 0)
      high |= Self.bits(range, from: 64)
    }
  }

  private static func bits(_ range: ClosedRange<UInt32>, from base: UInt32) -> UInt64 {
    let first = max(range.lowerBound, base)
    let last = min(range.upperBound, base + 63)
    guard first <= last else { return 0 }
    return (UInt64.max >> UInt64(63 - (last - first))) << UInt64(first - base)
  }

  /// Returns whether the set contains the byte, which must be below 128.
  @inlinable @inline(__always)
  package func contains(_ byte: UInt8) -> Bool {
    ((byte & 64 == 0 ? low : high) &>> UInt64(byte & 63)) & 1 != 0
  }

  package mutating func set(_ byte: UInt8, _ isMember: Bool) {
    let bit = UInt64(1) << UInt64(byte & 63)
    if byte < 64 {
      low = isMember ? low | bit : low & ~bit
    } else {
      high = isMember ? high | bit : high & ~bit
    }
  }

  package mutating func formUnion(_ other: ASCIISet) {
    low |= other.low
    high |= other.high
  }

  /// The ASCII characters that aren't in the set.
  var inverted: ASCIISet {
    var set = self
    set.low = ~low
    set.high = ~high
    return set
  }

  var isEmpty: Bool { low | high == 0 }

  func isDisjoint(with other: ASCIISet) -> Bool {
    low & other.low == 0 && high & other.high == 0
  }
}
