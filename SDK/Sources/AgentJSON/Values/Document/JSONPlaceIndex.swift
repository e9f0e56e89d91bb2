/// Finds the lines and columns of many offsets in one document, each in the same short time.
///
/// `JSONDocument.place(at:)` counts from the start each time. That suits one message, but is too
/// slow for ten thousand in a document of a megabyte.
public struct JSONPlaceIndex: Sendable {
  private let bytes: [UInt8]
  /// The places of every 4096th byte.
  private let marks: [JSONPlace]

  private static let distance = 4096

  /// Reads the document once.
  public init(_ document: JSONDocument) {
    let bytes = document.bytes
    self.bytes = bytes
    var marks: [JSONPlace] = []
    var place = JSONPlace(offset: 0, line: 1, column: 1)
    while place.offset < bytes.count {
      marks.append(place)
      place = Self.place(at: place.offset + Self.distance, from: place, in: bytes)
    }
    self.marks = marks
  }

  /// Returns the line and column of a byte offset. An offset past the end means the end.
  public func place(at offset: Int) -> JSONPlace {
    let offset = max(0, offset)
    let mark = min(offset / Self.distance, marks.count - 1)
    guard mark >= 0 else { return JSONPlace(offset: 0, line: 1, column: 1) }
    return Self.place(at: offset, from: marks[mark], in: bytes)
  }

  private static func place(at offset: Int, from start: JSONPlace, in bytes: [UInt8]) -> JSONPlace {
    let end = min(offset, bytes.count)
    var line = start.line
    var column = start.column
    for index in start.offset..<max(end, start.offset) {
      let byte = bytes[index]
      let isReturn = byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
      if byte == 0x0A || isReturn {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return JSONPlace(offset: end, line: line, column: column)
  }
}
