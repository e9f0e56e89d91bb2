/// Why a text isn't a cron expression, and where.
public struct CronError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of mistake.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// There aren't five or six fields.
    case fields
    /// A field isn't of the language's form.
    case syntax
    /// A number is too small or too large.
    case range
    /// A word is none of the names.
    case unknownName
    /// Every field is right, and no day is ever meant by all of them.
    case neverFires
    /// It is known and can't be had here.
    case unsupported
  }

  /// The kind of mistake.
  public let code: Code
  /// The field, if it is in one.
  public let field: CronField?
  /// Where it starts, in characters from 1.
  public let column: Int
  /// A sentence: what was found, what may stand there, what was perhaps meant.
  public let message: String

  /// A mistake at `column`.
  public init(_ code: Code, field: CronField? = nil, column: Int, _ message: String) {
    self.code = code
    self.field = field
    self.column = column
    self.message = message
  }

  /// As `cron: column 3, hour: found 24. …`.
  public var description: String {
    "cron: column \(column)\(field.map { ", \($0.rawValue)" } ?? ""): \(message)"
  }
}
