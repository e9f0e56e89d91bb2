import AgentText

/// The durations of RFC 3339, appendix A: `P1DT12H`, `P3W`. ABNF ignores the case of letters.
enum DurationFormat {
  static func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    guard bytes.byte(at) | 0x20 == UInt8(ascii: "p") else { throw bytes.misfit(at) }
    at += 1
    if !isTimeNext(bytes, at) { try readAmounts(bytes, at: &at, units: "ymd", alone: "w") }
    if isTimeNext(bytes, at) {
      at += 1
      try readAmounts(bytes, at: &at, units: "hms", alone: nil)
    }
    try bytes.end(at)
  }

  private static func isTimeNext(_ bytes: Span<UInt8>, _ at: Int) -> Bool {
    bytes.byte(at) | 0x20 == UInt8(ascii: "t")
  }

  /// Reads amounts, each with the unit after that of the one before.
  private static func readAmounts(
    _ bytes: Span<UInt8>, at: inout Int, units: StaticString, alone: Unicode.Scalar?
  ) throws(FormatFault) {
    var last: Int?
    repeat {
      try bytes.skipDigits(&at)
      let unit = bytes.byte(at) | 0x20
      if last == nil, let alone, unit == UInt8(ascii: alone) {
        at += 1
        guard at == bytes.count else { throw .units }
        return
      }
      guard let rank = rank(of: unit, in: units) else {
        throw at < bytes.count && bytes.byte(at).isASCIILetter ? .units : bytes.misfit(at)
      }
      if let last, rank != last + 1 { throw .units }
      last = rank
      at += 1
    } while bytes.byte(at).isASCIIDigit
  }

  private static func rank(of unit: UInt8, in units: StaticString) -> Int? {
    units.withUTF8Buffer { $0.firstIndex(of: unit) }
  }
}
