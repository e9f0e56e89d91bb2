/// The reason why a text doesn't have a format. It is cheap to throw; a message is created on
/// request.
enum FormatFault: Error, Hashable, Sendable {
  enum Unit: String, Sendable { case month, day, hour, minute, second }

  case endsEarly
  /// A byte that isn't allowed at its place.
  case unexpected(at: Int)
  /// The text is valid up to here, but continues.
  case trailing(at: Int)
  case noTime
  /// A `%` without two hexadecimal digits.
  case escape(at: Int)
  case missing(Unit, Int)
  case leapSecond
  case noZone
  case units
  case tooLarge(Int)
  case leadingZero
  case groups
  case noScheme
  case noAtSign
  case localPart
  case emptyLabel
  case longLabel
  case longName
  case hyphen
  case prefix
  case punycode
  case disallowed(Unicode.Scalar)
  case misplaced(Unicode.Scalar)
  case notComposed
  case directions
  case tilde
  case expression(at: Int)
  case pattern
}

extension FormatFault {
  /// Returns the fault as a sentence, or `nil` if the expectation suffices.
  func reason(in text: String) -> String? {
    switch self {
    case .endsEarly: text.isEmpty ? "It is empty." : "It ends too early."
    case .unexpected(let at): Self.misfit(text, at)
    case .trailing(let at): Self.excess(text, at)
    case .noTime: "After the date there has to be a T and a time."
    case .escape: "After % there have to be two hexadecimal digits."
    case .missing(let unit, let value): "There is no \(unit.rawValue) \(value)."
    case .leapSecond: "A second 60 comes only at 23:59:60 UTC, at the end of a month."
    case .noZone: "The zone is missing: Z, or an offset such as +01:00."
    case .units: "Units go from large to small without a gap, and weeks stand alone."
    case .tooLarge(let value): "\(value) is more than 255."
    case .leadingZero: "A number begins with a 0 too many."
    case .groups: "There have to be eight groups, or fewer with one :: among them."
    case .noScheme: "It doesn't begin with a scheme such as \"https:\"."
    case .noAtSign: "The @ is missing."
    case .localPart: "The part before the @ is longer than 64 bytes."
    case .emptyLabel: "A part between the dots is empty."
    case .longLabel: "A part between the dots is longer than 63 characters."
    case .longName: "The name is longer than 253 characters."
    case .hyphen: "A part between the dots begins or ends with a hyphen."
    case .prefix: "A part that doesn't begin with xn-- has -- as its third and fourth character."
    case .punycode: "A part that begins with xn-- doesn't stand for a name in another script."
    case .disallowed(let scalar): "\(Self.shown(scalar)) is not allowed in a host name."
    case .misplaced(let scalar): "\(Self.shown(scalar)) is not allowed beside its neighbors here."
    case .notComposed: "Letters and their accents have to be composed (Unicode's form NFC)."
    case .directions: "A part mixes directions of writing in a way that host names may not."
    case .tilde: "After ~ there has to be 0 or 1."
    case .expression: "An expression in braces is not closed or not well-formed."
    case .pattern: nil
    }
  }

  private static func misfit(_ text: String, _ at: Int) -> String? {
    let rest = text.utf8.dropFirst(at)
    guard let scalar = text.unicodeScalars[rest.startIndex...].first else { return nil }
    let number = text.unicodeScalars[..<rest.startIndex].count + 1
    return "Character \(number) can't be \(shown(scalar))."
  }

  private static func excess(_ text: String, _ at: Int) -> String? {
    let rest = text.utf8.dropFirst(at)
    let isBlank = text.unicodeScalars[rest.startIndex...].allSatisfy(\.properties.isWhitespace)
    return isBlank ? "Take away the blanks at the end." : misfit(text, at)
  }

  /// Returns a visible character itself, and the number of an invisible one.
  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
      .nonspacingMark, .enclosingMark, .spacingMark:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return "\"\(scalar)\""
    }
  }
}
