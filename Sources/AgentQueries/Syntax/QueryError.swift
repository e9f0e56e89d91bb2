/// Why a text isn't a query that this version can run, and where.
public struct QueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of mistake it is.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text isn't of the language's form.
    case syntax
    /// A function, a pipe or a macro has a name that nobody knows.
    case unknownName
    /// A value is of a kind, or arguments are of a number, that can't be used there.
    case type
    /// The language has it, this version doesn't.
    case unsupported
    /// The text is longer, deeper or larger than a query may be.
    case limit
  }

  /// What kind of mistake it is.
  public let code: Code
  /// A sentence: what is wrong there and what may stand there.
  public let message: String
  /// The piece of the text that is wrong.
  public let range: QueryRange
  /// Where that piece starts.
  public let place: QueryPlace
  /// The line that is wrong with a caret below it.
  public let excerpt: String

  /// A mistake at `range` of `text`.
  public init(_ code: Code, _ message: String, at range: QueryRange, in text: QueryText) {
    self.code = code
    self.message = message
    let last = text.bytes.count
    self.range = QueryRange(start: min(range.start, last), end: min(range.end, last))
    place = text.place(at: range.start)
    excerpt = text.excerpt(at: range.start)
  }

  /// The place, the sentence, and the line with its caret.
  public var description: String { "query:\(place): \(message)\n\(excerpt)" }
}
