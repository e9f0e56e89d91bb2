/// Splits a stream of bytes into lines, whatever pieces it arrives in.
///
/// A line ends with a line feed. A carriage return before it is a blank in JSON. The splitter holds
/// at most one line of the stream, and at most ``limit`` bytes of it.
public struct LineSplitter: Sendable {
  /// The maximum size of a line of events, in bytes. It is the size of a frame to a worker, so that
  /// every accepted event can be delivered.
  public static let longestEvent = 16 << 20

  /// A line of the stream.
  public struct Line: Sendable, Hashable {
    /// The number, counted from 1.
    public let number: Int
    /// The bytes without the line's end. They are empty for a line that is too long.
    public let bytes: [UInt8]
    /// Whether it is longer than ``LineSplitter/limit``. Its bytes were skipped.
    public let isTooLong: Bool

    /// Whether it has only blanks.
    public var isBlank: Bool {
      !isTooLong && bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
  }

  public let limit: Int
  private var number = 0
  private var rest: [UInt8] = []
  private var isTooLong = false

  /// The number of bytes of an unfinished line that it holds.
  public var held: Int { rest.count }

  /// Makes a splitter at the start of a stream.
  public init(limit: Int = LineSplitter.longestEvent) {
    self.limit = max(1, limit)
  }

  /// Processes the next piece of the stream.
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

  /// Ends the stream.
  /// - Returns: the last line if its line feed is missing, otherwise nil.
  public mutating func last() -> Line? {
    rest.isEmpty && !isTooLong ? nil : line()
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    if isTooLong || rest.count + bytes.count > limit {
      // The bytes are dropped at once, because a line without end must not fill the memory.
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
