/// A pattern in which `*` is any text and `?` any character, without case.
///
/// Each position in the pattern is a bit, and each character of the text advances all positions at
/// once (Baeza-Yates and Gonnet, "A New Approach to Text Searching", 1992). Each character of the
/// text is read once, whatever stars the pattern has.
///
/// Rationale: events of other senders are matched under the bus's lock. A matcher that returns to
/// the last star takes the length of the text times that of the pattern.
struct WildcardPattern: Sendable, Hashable {
  /// A bit for each position of a pattern.
  private typealias Places = SIMD8<UInt64>
  /// The number of positions. A pattern of a query has at most 256 bytes. A longer one matches
  /// nothing.
  private static let maxPlaces = 8 * 64

  /// The number of each character in the pattern, in lower case. All other characters have number
  /// 0.
  private let numbers: [Unicode.Scalar: Int]
  /// The numbers of ASCII characters, by code.
  private let ascii: [UInt16]
  /// The positions that a character advances, by the character's number.
  private let steps: [Places]
  /// The positions that any character keeps, because of a star.
  private let stays: Places
  /// The position after the last one. It is empty if the pattern is too long.
  private let end: Places

  init(_ pattern: String) {
    var numbers: [Unicode.Scalar: Int] = [:]
    var own = [Int: Places]()
    var anyhow = Places()
    var stays = Places()
    var place = 0
    for scalar in pattern.lowercased().unicodeScalars where place < Self.maxPlaces {
      let bit = Self.bit(place)
      switch scalar {
      case "*": stays |= bit
      case "?": anyhow |= bit
      default:
        let number = numbers[scalar] ?? numbers.count + 1
        numbers[scalar] = number
        own[number, default: Places()] |= bit
      }
      if scalar != "*" { place += 1 }
    }
    self.numbers = numbers
    self.stays = stays
    end = place < Self.maxPlaces ? Self.bit(place) : Places()
    steps = (0...numbers.count).map { anyhow | (own[$0] ?? Places()) }
    ascii = (UInt8(0)..<128).map { UInt16(clamping: numbers[Unicode.Scalar($0)] ?? 0) }
  }

  private static func bit(_ place: Int) -> Places {
    var places = Places()
    places[place / 64] = UInt64(1) << (place % 64)
    return places
  }

  /// Returns whether the whole `text` matches. Reads each character once.
  func matches(_ text: String) -> Bool {
    var places = Self.bit(0)
    for scalar in text.lowercased().unicodeScalars {
      let moved = places & (steps.dropFirst(number(of: scalar)).first ?? Places())
      let carried = moved &>> 63
      let up = Places(
        0, carried[0], carried[1], carried[2], carried[3], carried[4], carried[5], carried[6])
      places = (moved &<< 1) | up | (places & stays)
      if places == Places() { return false }
    }
    return places & end != Places()
  }

  private func number(of scalar: Unicode.Scalar) -> Int {
    guard scalar.isASCII else { return numbers[scalar] ?? 0 }
    return ascii.dropFirst(Int(scalar.value)).first.map { Int($0) } ?? 0
  }
}
