/// The dates and times of RFC 3339, section 5.6.
enum DateFormat {
  typealias Bytes = Substring.UTF8View.SubSequence

  static func isDateTime(_ text: String) -> Bool {
    let bytes = text.utf8[...]
    guard let mark = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "t") }) else {
      return false
    }
    return isDate(bytes[..<mark]) && isTime(bytes[bytes.index(after: mark)...])
  }

  static func isDate(_ bytes: Bytes) -> Bool {
    var rest = bytes
    guard let year = number(&rest, 4), skip("-", &rest), let month = number(&rest, 2),
      skip("-", &rest), let day = number(&rest, 2), rest.isEmpty, (1...12).contains(month)
    else { return false }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...lengths[month - 1]).contains(day)
  }

  static func isTime(_ bytes: Bytes) -> Bool {
    var rest = bytes
    guard let hour = number(&rest, 2), skip(":", &rest), let minute = number(&rest, 2),
      skip(":", &rest), let second = number(&rest, 2), hour < 24, minute < 60, second < 61,
      skipFraction(&rest), let offset = offset(&rest), rest.isEmpty
    else { return false }
    // A leap second comes at the end of a day in UTC.
    let minuteOfDay = (hour * 60 + minute - offset + 2 * 1440) % 1440
    return second < 60 || minuteOfDay == 1439
  }

  private static func skipFraction(_ rest: inout Bytes) -> Bool {
    guard skip(".", &rest) else { return true }
    let digits = rest.prefix { $0.isASCIIDigit }
    rest = rest.dropFirst(digits.count)
    return !digits.isEmpty
  }

  /// The minutes that the zone is ahead of UTC.
  private static func offset(_ rest: inout Bytes) -> Int? {
    guard let sign = rest.popFirst() else { return nil }
    if sign | 0x20 == UInt8(ascii: "z") { return 0 }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = number(&rest, 2),
      skip(":", &rest), let minutes = number(&rest, 2), hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  private static func number(_ rest: inout Bytes, _ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let byte = rest.popFirst(), byte.isASCIIDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  private static func skip(_ scalar: Unicode.Scalar, _ rest: inout Bytes) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }
}
