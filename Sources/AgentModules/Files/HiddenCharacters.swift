extension Unicode.Scalar {
  /// Whether the character is invisible or changes the display of the following text: controls,
  /// direction marks, joiners, line separators. In a name or a path, it makes the displayed text
  /// differ from the real one.
  package var isHidden: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  /// The code point in the usual notation, such as `U+001B`.
  package var codeText: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension String {
  /// Returns the first hidden character that isn't in `allowed`.
  package func firstHidden(butFor allowed: [Unicode.Scalar] = []) -> Unicode.Scalar? {
    unicodeScalars.first { $0.isHidden && !allowed.contains($0) }
  }
}
