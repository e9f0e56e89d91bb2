/// A set of keywords that is stored in a number, so that its operations are fast.
struct KeywordSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt64 = 0

  static let all: KeywordSet = {
    var set = KeywordSet()
    for keyword in KeywordName.allCases { set.insert(keyword) }
    return set
  }()

  init() {}

  init(arrayLiteral elements: KeywordName...) {
    for keyword in elements { insert(keyword) }
  }

  func contains(_ keyword: KeywordName) -> Bool {
    bits & Self.bit(keyword) != 0
  }

  mutating func insert(_ keyword: KeywordName) {
    bits |= Self.bit(keyword)
  }

  func union(_ other: KeywordSet) -> KeywordSet {
    KeywordSet(bits: bits | other.bits)
  }

  func intersection(_ other: KeywordSet) -> KeywordSet {
    KeywordSet(bits: bits & other.bits)
  }

  func subtracting(_ other: KeywordSet) -> KeywordSet {
    KeywordSet(bits: bits & ~other.bits)
  }

  func isDisjoint(with other: KeywordSet) -> Bool {
    bits & other.bits == 0
  }

  private init(bits: UInt64) {
    self.bits = bits
  }

  private static func bit(_ keyword: KeywordName) -> UInt64 {
    1 << UInt64(keyword.rawValue)
  }
}
