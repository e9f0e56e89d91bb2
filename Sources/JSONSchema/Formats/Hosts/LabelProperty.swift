/// The property of a code point in IDNA2008 (RFC 5892, section 3), computed with the Unicode
/// version of the standard library.
enum LabelProperty {
  case valid
  /// Valid beside certain neighbors: CONTEXTJ and CONTEXTO.
  case contextual
  /// Not allowed, or not assigned.
  case disallowed

  init(of scalar: Unicode.Scalar) {
    self = Self.exception(scalar) ?? Self.derived(scalar)
  }

  /// Returns the exceptions of section 2.6.
  private static func exception(_ scalar: Unicode.Scalar) -> LabelProperty? {
    switch scalar.value {
    case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: .valid
    case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x660...0x669, 0x6F0...0x6F9: .contextual
    case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: .disallowed
    default: nil
    }
  }

  private static func derived(_ scalar: Unicode.Scalar) -> LabelProperty {
    let properties = scalar.properties
    if scalar.isASCII {
      let isLower = scalar.properties.isLowercase || ("0"..."9").contains(scalar)
      return isLower || scalar == "-" ? .valid : .disallowed
    }
    if properties.isJoinControl { return .contextual }
    if isOldHangul(scalar) || isIgnorable(scalar) || properties.changesWhenNFKCCaseFolded {
      return .disallowed
    }
    switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .otherLetter, .decimalNumber, .modifierLetter,
      .nonspacingMark, .spacingMark:
      return .valid
    default: return .disallowed
    }
  }

  /// Returns whether the scalar is one of the Jamo of syllables (section 2.9).
  private static func isOldHangul(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: true
    default: false
    }
  }

  /// Returns whether sections 2.3 and 2.4 apply.
  private static func isIgnorable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20D0...0x20FF, 0x1D100...0x1D24F: true
    default:
      scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace
        || scalar.properties.isNoncharacterCodePoint
    }
  }
}
