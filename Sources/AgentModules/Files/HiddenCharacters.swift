extension Unicode.Scalar {
  /// Whether it shows nothing, or changes how the following text is shown: controls, direction
  /// marks, joiners, line separators. In a name or a path it makes the text that a person reads
  /// differ from the text that the system gets.
  package var isHidden: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  /// U+001B, as people write it.
  package var codeText: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension String {
  /// The first character that is hidden, but for these.
  package func firstHidden(butFor allowed: [Unicode.Scalar] = []) -> Unicode.Scalar? {
    unicodeScalars.first { $0.isHidden && !allowed.contains($0) }
  }
}
