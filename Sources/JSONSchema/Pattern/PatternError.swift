/// Why the text of a `pattern` can't be compiled.
struct PatternError: Error, Sendable {
  /// `pattern_syntax`, `pattern_unsupported` or `pattern_too_large`.
  var code: String
  /// A sentence for the schema's author.
  var message: String
}

extension PatternError {
  static func syntax(_ message: String) -> PatternError {
    PatternError(code: "pattern_syntax", message: message)
  }

  static func unsupported(_ message: String) -> PatternError {
    PatternError(code: "pattern_unsupported", message: message)
  }

  static let tooLarge = PatternError(
    code: "pattern_too_large",
    message: "The pattern grows too large when its counted repetitions are written out.")
}
