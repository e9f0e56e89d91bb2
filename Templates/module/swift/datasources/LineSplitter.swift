/// Makes lines of bytes that arrive in pieces.
struct LineSplitter {
  /// Longer lines are cut here.
  static let longest = 16 << 10

  private var rest: [UInt8] = []

  /// The lines that are complete with these bytes, without empty ones.
  mutating func add(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
        rest = []
      } else if byte != UInt8(ascii: "\r"), rest.count < Self.longest {
        rest.append(byte)
      }
    }
    return lines
  }
}
