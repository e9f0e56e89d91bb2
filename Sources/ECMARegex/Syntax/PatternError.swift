/// Why the text of a `pattern` can't be compiled.
package struct PatternError: Error, Sendable, Equatable {
  /// `pattern_syntax`, `pattern_unsupported` or `pattern_too_large`.
  package var code: String
  /// A sentence for the schema's author; it names the position where there is one.
  package var message: String
  /// The character of the pattern at fault, counted from 1 in Unicode scalars; nil where it is the
  /// pattern as a whole.
  package var position: Int?
}

extension PatternError {
  /// "SUBJECT at position N PREDICATE"; `index` counts from 0.
  static func syntax(_ subject: String, at index: Int, _ predicate: String) -> PatternError {
    PatternError(
      code: "pattern_syntax", message: "\(subject) at position \(index + 1) \(predicate)",
      position: index + 1)
  }

  /// As `syntax`, of what other engines have and this one hasn't.
  static func unsupported(_ subject: String, at index: Int, _ predicate: String) -> PatternError {
    var error = syntax(subject, at: index, predicate)
    error.code = "pattern_unsupported"
    return error
  }

  static let tooLarge = PatternError(
    code: "pattern_too_large",
    message: "The pattern needs more than \(PatternProgram.maxSize) steps when its counted"
      + " repetitions are written out. Use smaller numbers, or \"maxLength\".")
}
