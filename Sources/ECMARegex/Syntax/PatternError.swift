/// The reason why a `pattern` can't be compiled.
package struct PatternError: Error, Sendable, Equatable {
  /// `pattern_syntax`, `pattern_unsupported` or `pattern_too_large`.
  package var code: String
  /// A sentence for the schema's author, with the position if there is one.
  package var message: String
  /// The position of the wrong character in Unicode scalars from 1. `nil` if the whole pattern is
  /// wrong.
  package var position: Int?
}

extension PatternError {
  /// Returns an error with the message "SUBJECT at position N PREDICATE". `index` counts from 0.
  static func syntax(_ subject: String, at index: Int, _ predicate: String) -> PatternError {
    PatternError(
      code: "pattern_syntax", message: "\(subject) at position \(index + 1) \(predicate)",
      position: index + 1)
  }

  /// Does the same for a feature that other engines have and this one doesn't.
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
