extension Unicode.Scalar {
  /// `ucschar` of RFC 3987, section 2.2, and `iprivate`, which only queries may contain.
  func isIRICharacter(allowsPrivate: Bool) -> Bool {
    switch value {
    case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
    case 0xE000...0xF8FF, 0xF0000...0x10FFFF: allowsPrivate && value & 0xFFFE != 0xFFFE
    case 0xE0000...0xE0FFF: false
    case 0x10000...: value & 0xFFFE != 0xFFFE
    default: false
    }
  }

  /// Signs for the direction of writing, which never stand in an IRI (RFC 3987, section 4.1).
  var turnsDirection: Bool {
    (0x200E...0x200F).contains(value) || (0x202A...0x202E).contains(value)
  }
}
