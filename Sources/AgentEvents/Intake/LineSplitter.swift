/// Cuts a stream of bytes into lines, whatever pieces it comes in.
///
/// A line ends with a line feed; a carriage return before it is a blank to JSON. The splitter holds
/// no more of the stream than one line, and no more of a line than ``limit``.
public struct LineSplitter: Sendable {
  /// The most bytes of a line of events: as much as one frame to a worker may hold, so that every
  /// event that is taken in can be delivered.
  public static let longestEvent = 16 << 20

  /// A line of the stream.
  public struct Line: Sendable, Hashable {
    /// From 1.
    public let number: Int
    /// The bytes without the line's end; empty for a line that is too long.
    public let bytes: [UInt8]
    /// Whether it is longer than ``LineSplitter/limit``. It was passed over up to its end.
    public let isTooLong: Bool

    /// Whether it has nothing but blanks.
    public var isBlank: Bool {
      !isTooLong && bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
  }

  public let limit: Int
  private var number = 0
  private var rest: [UInt8] = []
  private var isTooLong = false

  /// Makes a splitter at the start of a stream.
  public init(limit: Int = LineSplitter.longestEvent) {
    self.limit = max(1, limit)
  }

  /// Takes the next piece of the stream.
  /// - Returns: the lines that end in it.
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

  /// Called at the end of the stream.
  /// - Returns: the last line, where its line feed is missing; nil otherwise.
  public mutating func last() -> Line? {
    rest.isEmpty && !isTooLong ? nil : line()
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    if isTooLong || rest.count + bytes.count > limit {
      // Forgotten at once: a line that never ends must not fill the memory.
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
