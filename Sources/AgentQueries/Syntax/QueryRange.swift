/// A part of a query's text, as offsets in its UTF-8 bytes.
public struct QueryRange: Sendable, Hashable {
  /// The offset of the first byte.
  public let start: Int
  /// The offset after the last byte.
  public let end: Int

  public init(start: Int, end: Int) {
    self.start = start
    self.end = max(start, end)
  }

  /// Returns the range from the start of this one to the end of `other`.
  public func joined(with other: QueryRange) -> QueryRange {
    QueryRange(start: min(start, other.start), end: max(end, other.end))
  }
}

/// A place in a query for people. Both numbers start at 1.
public struct QueryPlace: Sendable, Hashable, CustomStringConvertible {
  /// The line.
  public let line: Int
  /// The number of the character in the line.
  public let column: Int

  /// `line:column`.
  public var description: String { "\(line):\(column)" }
}
