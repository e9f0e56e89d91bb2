/// Cuts a stream of bytes into lines, whatever pieces it comes in.
///
/// A line ends with a line feed; a carriage return before it is blank to JSON. It holds no more of
/// the stream than one line, and of a line no more than ``limit``.
public struct LineSplitter: Sendable {
  /// The longest line of events: as much as one frame to a worker may hold, so that every event
  /// that comes in can be delivered.
  public static let longestEvent = 16 << 20

  /// A line of the stream.
  public struct Line: Sendable, Hashable {
    /// Which one it is, from 1.
    public let number: Int
    /// Its bytes without its end; of a line that is too long none.
    public let bytes: [UInt8]
    /// Whether it is longer than the splitter takes. It is passed over up to its end.
    public let isTooLong: Bool

    /// Whether nothing is on it but blanks.
    public var isBlank: Bool {
      !isTooLong && bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
  }

  /// The most bytes of a line.
  public let limit: Int
  private var number = 0
  private var rest: [UInt8] = []
  private var isTooLong = false

  /// A splitter at the start of a stream.
  public init(limit: Int = LineSplitter.longestEvent) {
    self.limit = max(1, limit)
  }

  /// The lines that end in this piece of the stream.
  public mutating func lines(of piece: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var left = piece[...]
    while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
      keep(left[..<end])
      lines.append(line())
      left = left[(end + 1)...]
    }
    keep(left)
    return lines
  }

  /// The line that the stream ends with, where its end is missing.
  public mutating func last() -> Line? {
    rest.isEmpty && !isTooLong ? nil : line()
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    if isTooLong || rest.count + bytes.count > limit {
      isTooLong = true
      rest = []
    } else {
      rest += bytes
    }
  }

  private mutating func line() -> Line {
    defer { (rest, isTooLong) = ([], false) }
    number += 1
    return Line(number: number, bytes: rest, isTooLong: isTooLong)
  }
}
