/// The durations of RFC 3339, appendix A: `P1DT12H`, `P3W`.
enum DurationFormat {
  static func isDuration(_ text: String) -> Bool {
    var rest = text.utf8[...]
    guard rest.popFirst() == UInt8(ascii: "P") else { return false }
    let parts = rest.split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return isRun(parts[0], of: "YMD") || isRun(parts[0], of: "W")
    case 2: return (parts[0].isEmpty || isRun(parts[0], of: "YMD")) && isRun(parts[1], of: "HMS")
    default: return false
    }
  }

  /// Whether these are amounts with units that follow on each other without a gap.
  private static func isRun(_ bytes: DateFormat.Bytes, of units: String) -> Bool {
    var rest = bytes
    var left: Substring.UTF8View.SubSequence? = units[...].utf8[...]
    var isFirst = true
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCIIDigit }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let unit = rest.popFirst(), let open = left,
        let place = open.firstIndex(of: unit), isFirst || place == open.startIndex
      else { return false }
      isFirst = false
      left = open[open.index(after: place)...]
    }
    return !isFirst
  }
}
