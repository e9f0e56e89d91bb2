/// A piece of a query's text, as offsets in its UTF-8 bytes.
public struct QueryRange: Sendable, Hashable {
  /// The offset of the first byte.
  public let start: Int
  /// The offset behind the last byte.
  public let end: Int

  /// The bytes from `start` up to `end`.
  public init(start: Int, end: Int) {
    self.start = start
    self.end = max(start, end)
  }

  /// From the start of this to the end of `other`.
  public func joined(with other: QueryRange) -> QueryRange {
    QueryRange(start: min(start, other.start), end: max(end, other.end))
  }
}

/// A place in a query as a person counts: both numbers start at 1.
public struct QueryPlace: Sendable, Hashable, CustomStringConvertible {
  /// The line.
  public let line: Int
  /// The character in the line.
  public let column: Int

  /// `line:column`.
  public var description: String { "\(line):\(column)" }
}
