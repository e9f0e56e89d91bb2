/// A position in a document for people: a line, a column, and the byte offset.
public struct JSONPlace: Hashable, Sendable, CustomStringConvertible {
  /// The number of bytes before this place.
  public let offset: Int
  /// The line, from 1. A line ends with LF, CR LF or CR.
  public let line: Int
  /// The column, from 1, in Unicode scalars, as editors show it.
  public let column: Int

  /// Creates a place from known numbers.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// The place in the notation of editors and terminals: `14:22`.
  public var description: String { "\(line):\(column)" }
}

extension JSONPlace {
  /// Counts lines and columns up to `offset`. An offset past the end means the end.
  init(offset: Int, in bytes: Span<UInt8>) {
    let end = min(max(offset, 0), bytes.count)
    var line = 1
    var column = 1
    for index in 0..<end {
      let byte = bytes[index]
      if byte == .lineFeed || (byte == .carriageReturn && !bytes.holds(.lineFeed, at: index + 1)) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(offset: end, line: line, column: column)
  }
}

extension Span<UInt8> {
  /// Returns whether the byte at `index` exists and equals `byte`.
  func holds(_ byte: UInt8, at index: Int) -> Bool {
    index < count && self[index] == byte
  }
}
