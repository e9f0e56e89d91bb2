/// Splits bytes that arrive in pieces (from a file, a port or a socket) into lines.
///
/// ```swift
/// var splitter = LineSplitter()
/// for line in splitter.lines(of: piece) { … }
/// ```
///
/// A line ends with a line feed. Carriage returns and empty lines are left out, and bytes that
/// aren't UTF-8 become U+FFFD. It holds one line at most.
public struct LineSplitter: Sendable {
  /// The longest line in bytes; the rest of a longer one is dropped.
  public let limit: Int

  private var rest: [UInt8] = []

  /// A splitter at the start of a stream.
  public init(limit: Int = 16 << 10) {
    self.limit = max(1, limit)
  }

  /// The lines that these bytes complete.
  public mutating func lines(of piece: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in piece {
      if byte == UInt8(ascii: "\n") {
        if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
        rest.removeAll(keepingCapacity: true)
      } else if byte != UInt8(ascii: "\r"), rest.count < limit {
        rest.append(byte)
      }
    }
    return lines
  }
}
