/// A query's text, with what it takes to show somebody a place in it.
public struct QueryText: Sendable, Hashable {
  /// The text as it was written.
  public let string: String
  let bytes: [UInt8]

  /// Keeps `string`.
  public init(_ string: String) {
    self.string = string
    bytes = Array(string.utf8)
  }

  /// The text of a range; parts outside the text are left away.
  public func text(of range: QueryRange) -> String {
    let start = min(max(range.start, 0), bytes.count)
    let end = min(max(range.end, start), bytes.count)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Line and column of an offset; an offset outside is moved to the nearest end.
  public func place(at offset: Int) -> QueryPlace {
    let (line, start, _) = line(around: offset)
    let end = min(max(offset, 0), bytes.count)
    let before = String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
    return QueryPlace(line: line, column: before.count + 1)
  }

  /// The line in which an offset lies, and below it a caret under the place.
  func excerpt(at offset: Int) -> String {
    let (_, start, end) = line(around: offset)
    let line = String(decoding: bytes[start..<end], as: UTF8.self)
    let shown = String(line.map { $0 == "\t" ? " " : $0 })
    let column = place(at: offset).column - 1
    // A long line is cut so that the caret stays on the screen.
    let first = max(0, column - 60)
    let window = shown.dropFirst(first).prefix(100)
    return "\(window)\n\(String(repeating: " ", count: column - first))^"
  }

  private func line(around offset: Int) -> (number: Int, start: Int, end: Int) {
    let position = min(max(offset, 0), bytes.count)
    var number = 1
    var start = 0
    for index in 0..<position where bytes[index] == UInt8(ascii: "\n") {
      number += 1
      start = index + 1
    }
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    return (number, start, end)
  }
}
