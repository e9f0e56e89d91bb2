/// A U-label: the tests of RFC 5891, section 4.2, without the rule for directions, which applies to
/// the whole name.
enum InternationalLabel {
  static func check(_ label: [Unicode.Scalar]) throws(FormatFault) {
    guard label.count <= HostnameFormat.longestLabel else { throw .longLabel }
    if label.first == "-" || label.last == "-" { throw .hyphen }
    if label.dropFirst(2).starts(with: ["-", "-"]) { throw .prefix }
    if let first = label.first, first.isCombiningMark { throw .misplaced(first) }
    for (index, scalar) in label.enumerated() {
      switch LabelProperty(of: scalar) {
      case .valid: break
      case .disallowed: throw .disallowed(scalar)
      case .contextual:
        guard LabelContext(label, index).admits(scalar) else { throw .misplaced(scalar) }
      }
    }
    guard isComposed(label) else { throw .notComposed }
  }

  private static func isComposed(_ label: [Unicode.Scalar]) -> Bool {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: label)
    let string = String(text)
    var span = string.utf8Span
    return span.checkForNFC(quickCheck: false)
  }
}

extension Unicode.Scalar {
  /// Whether the general category is M.
  var isCombiningMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
