/// A pattern in which `*` is any text and `?` any character, whatever the case.
///
/// The positions that a text may have reached in the pattern are bits, and each character moves all
/// of them at once: Baeza-Yates and Gonnet, "A New Approach to Text Searching" (1992). No text is
/// read twice, whatever stars the pattern has.
///
/// Rationale: events of others are matched while the bus is locked. Going back to the last star took
/// the length of the text times that of the pattern.
struct WildcardPattern: Sendable, Hashable {
  /// A bit for each place of a pattern.
  private typealias Places = SIMD8<UInt64>
  /// A pattern of a query has at most 256 bytes; a longer one matches nothing.
  private static let maxPlaces = 8 * 64

  /// The number of each character that the pattern names, in lower case; all others have number 0.
  private let numbers: [Unicode.Scalar: Int]
  /// The same for ASCII, by code.
  private let ascii: [UInt16]
  /// By the number of a character: the places that it takes a step on from.
  private let steps: [Places]
  /// The places at which any character may stand, because a star does.
  private let stays: Places
  /// The place after the last one; nothing where the pattern is too long.
  private let end: Places

  init(_ pattern: String) {
    var numbers: [Unicode.Scalar: Int] = [:]
    var (own, anyhow, stays) = ([Int: Places](), Places(), Places())
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

  /// Whether all of `text` is like the pattern. Looks once at each character of the text.
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
