/// The set of Unicode scalars that one position of a pattern accepts.
///
/// The test of an ASCII scalar is one bit. Others are searched for.
package struct ScalarSet: Sendable, Hashable {
  /// A property, or its complement.
  struct Part: Sendable, Hashable {
    let property: ScalarProperty
    let isNegated: Bool
  }

  /// The members that are listed: ascending ranges that neither overlap nor touch.
  let ranges: [ClosedRange<UInt32>]
  /// The properties, which are tested for each scalar. A list of their members would take
  /// milliseconds.
  let parts: [Part]
  /// Whether the set is the complement of ranges and parts. Without parts, the ranges are
  /// complemented instead.
  let isNegated: Bool
  /// Whether the set also contains every scalar with the same folded form as a member.
  let ignoresCase: Bool
  /// The members below 128.
  let ascii: ASCIISet

  init(
    _ ranges: [ClosedRange<UInt32>], _ parts: [Part] = [], isNegated: Bool = false,
    ignoresCase: Bool = false
  ) {
    var ranges = Self.normalized(ranges)
    if ignoresCase { ranges = CaseFolding.closure(of: ranges) }
    if isNegated, parts.isEmpty { ranges = Self.complement(of: ranges) }
    self.ranges = ranges
    self.parts = parts
    self.isNegated = isNegated && !parts.isEmpty
    self.ignoresCase = ignoresCase && !parts.isEmpty
    var ascii = ASCIISet(ranges)
    for part in parts {
      ascii.formUnion(part.isNegated ? part.property.ascii.inverted : part.property.ascii)
    }
    if self.ignoresCase {
      for byte in UInt8(0)..<128
      where Self.isMember(UInt32(byte), ranges: ranges, parts: parts, ignoresCase: true) {
        ascii.set(byte, true)
      }
    }
    self.ascii = self.isNegated ? ascii.inverted : ascii
  }

  /// Hashes the members below 128, which differ for most sets.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ascii)
    if ascii.isEmpty { hasher.combine(ranges) }
  }

  /// The set of one scalar.
  init(_ value: UInt32) {
    ranges = [value...value]
    parts = []
    isNegated = false
    ignoresCase = false
    ascii = value < 128 ? ASCIISet(UInt8(value)) : ASCIISet()
  }

  func contains(_ value: UInt32) -> Bool {
    if value < 128 { return ascii.contains(UInt8(value)) }
    return Self.isMember(value, ranges: ranges, parts: parts, ignoresCase: ignoresCase) != isNegated
  }

  private static func isMember(
    _ value: UInt32, ranges: [ClosedRange<UInt32>], parts: [Part], ignoresCase: Bool
  ) -> Bool {
    if holds(value, ranges) { return true }
    guard !parts.isEmpty else { return false }
    guard ignoresCase else { return holds(value, parts) }
    return CaseFolding.alike(value).contains { holds($0, parts) }
  }

  private static func holds(_ value: UInt32, _ parts: [Part]) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    return parts.contains { $0.property.holds(for: scalar) != $0.isNegated }
  }

  static func holds(_ value: UInt32, _ ranges: [ClosedRange<UInt32>]) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if value > ranges[middle].upperBound {
        low = middle + 1
      } else if value < ranges[middle].lowerBound {
        high = middle
      } else {
        return true
      }
    }
    return false
  }
}

extension ScalarSet {
  /// The single member, or `nil` if there are several.
  var single: UInt32? {
    guard ranges.count == 1, parts.isEmpty, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }

  /// Returns whether no known scalar is in both sets. Properties aren't compared beyond ASCII.
  func isDisjoint(with other: ScalarSet) -> Bool {
    guard ascii.isDisjoint(with: other.ascii) else { return false }
    guard parts.isEmpty else { return other.isASCII }
    guard other.parts.isEmpty else { return isASCII }
    var mine = ranges[...]
    var others = other.ranges[...]
    while let one = mine.first, let two = others.first {
      if one.overlaps(two) { return false }
      if one.upperBound < two.upperBound { mine.removeFirst() } else { others.removeFirst() }
    }
    return true
  }

  /// Whether the set contains only ASCII characters.
  var isASCII: Bool { parts.isEmpty && (ranges.last?.upperBound ?? 0) < 128 }

  package static func normalized(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    guard ranges.count > 1 else { return ranges }
    var result: [ClosedRange<UInt32>] = []
    result.reserveCapacity(ranges.count)
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let last = result.last, range.lowerBound <= last.upperBound + 1 else {
        result.append(range)
        continue
      }
      result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    }
    return result
  }

  /// Returns the complement of normalized ranges.
  static func complement(of ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    if next <= 0x10FFFF { result.append(next...0x10FFFF) }
    return result
  }
}

extension ScalarSet {
  // In ECMA-262, digits, word characters and white space are fixed sets that don't depend on a
  // language.
  static let digits = ScalarSet([0x30...0x39])
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let space = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  static let lineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
  /// The set of `.`: all scalars except the four line terminators.
  static let anyButLineEnd = ScalarSet(lineEnds.ranges, isNegated: true)
  static let any = ScalarSet([0...0x10FFFF])
}
