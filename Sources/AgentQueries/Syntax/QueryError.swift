/// Why this version can't run a text as a query, and the place of the mistake.
public struct QueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of the mistake.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text isn't in the form of the language.
    case syntax
    /// The name of a function, a pipe or a macro is unknown.
    case unknownName
    /// A value has the wrong kind, or the number of arguments is wrong.
    case type
    /// The language has this feature, and this version lacks it.
    case unsupported
    /// The text is longer, deeper or larger than its limit.
    case limit
  }

  public let code: Code
  /// A sentence with the mistake and the possible texts.
  public let message: String
  /// The wrong part of the text.
  public let range: QueryRange
  /// The start of that part.
  public let place: QueryPlace
  /// The wrong line with a caret below it.
  public let excerpt: String

  /// Makes the error for `range` of `text`.
  public init(_ code: Code, _ message: String, at range: QueryRange, in text: QueryText) {
    self.code = code
    self.message = message
    let last = text.bytes.count
    self.range = QueryRange(start: min(range.start, last), end: min(range.end, last))
    place = text.place(at: range.start)
    excerpt = text.excerpt(at: range.start)
  }

  /// The place, the message, and the line with its caret.
  public var description: String { "query:\(place): \(message)\n\(excerpt)" }
}
