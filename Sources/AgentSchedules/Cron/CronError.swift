/// The reason why a text isn't a cron expression, and its place.
public struct CronError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text doesn't have five or six fields.
    case fields
    /// A field has an invalid form.
    case syntax
    /// A number is outside its field's range.
    case range
    /// A word isn't a known name.
    case unknownName
    /// Each field is valid, but no day matches all of them.
    case neverFires
    /// Other programs know this form, but it isn't supported here.
    case unsupported
  }

  /// The kind of error.
  public let code: Code
  /// The field with the error. `nil` if the error concerns the whole text.
  public let field: CronField?
  /// The column of the error, in characters from 1.
  public let column: Int
  /// A sentence with the found text, the allowed values, and a suggestion if there is one.
  public let message: String

  /// Creates an error at `column`.
  public init(_ code: Code, field: CronField? = nil, column: Int, _ message: String) {
    self.code = code
    self.field = field
    self.column = column
    self.message = message
  }

  /// The text in the form `cron: column 3, hour: found 24. …`.
  public var description: String {
    "cron: column \(column)\(field.map { ", \($0.rawValue)" } ?? ""): \(message)"
  }
}
