/// Splits a stream of bytes into lines of text, whatever pieces it arrives in. A piece may end
/// within a character, so only whole lines are decoded.
public struct StreamLines: Sendable {
  private var rest: [UInt8] = []

  /// Creates a splitter at the start of a stream.
  public init() {}

  /// Processes the next piece of the stream.
  /// - Returns: the lines that end in it, without their line feeds.
  public mutating func lines(of piece: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in piece {
      guard byte == UInt8(ascii: "\n") else {
        rest.append(byte)
        continue
      }
      lines.append(String(decoding: rest, as: UTF8.self))
      rest.removeAll(keepingCapacity: true)
    }
    return lines
  }
}
