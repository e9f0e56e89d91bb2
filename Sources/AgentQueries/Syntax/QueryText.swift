/// A query's text, with places for messages.
public struct QueryText: Sendable, Hashable {
  public let string: String
  let bytes: [UInt8]

  public init(_ string: String) {
    self.string = string
    bytes = Array(string.utf8)
  }

  /// Returns the text of a range. Parts outside of the text are left out.
  public func text(of range: QueryRange) -> String {
    let start = min(max(range.start, 0), bytes.count)
    let end = min(max(range.end, start), bytes.count)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Returns the line and column of an offset. An offset outside of the text counts as the nearest
  /// end.
  public func place(at offset: Int) -> QueryPlace {
    let line = line(around: offset)
    let end = min(max(offset, 0), bytes.count)
    let before = String(decoding: bytes[line.start..<max(line.start, end)], as: UTF8.self)
    return QueryPlace(line: line.number, column: before.count + 1)
  }

  /// Returns the line of an offset, and below it a caret under the place.
  func excerpt(at offset: Int) -> String {
    let line = line(around: offset)
    let text = String(decoding: bytes[line.start..<line.end], as: UTF8.self)
    let shown = String(text.map { $0 == "\t" ? " " : $0 })
    let column = place(at: offset).column - 1
    // A long line is cut, so that the caret stays on the screen.
    let first = max(0, column - 60)
    let window = shown.dropFirst(first).prefix(100)
    return "\(window)\n\(String(repeating: " ", count: column - first))^"
  }

  private struct Line {
    /// From 1.
    let number: Int
    let start: Int
    let end: Int
  }

  private func line(around offset: Int) -> Line {
    let position = min(max(offset, 0), bytes.count)
    var number = 1
    var start = 0
    for index in 0..<position where bytes[index] == UInt8(ascii: "\n") {
      number += 1
      start = index + 1
    }
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    return Line(number: number, start: start, end: end)
  }
}
