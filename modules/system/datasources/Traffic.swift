/// How much has passed a network interface since it came up, in bytes.
struct Traffic: Equatable, Sendable {
  var name: String
  var received: UInt64
  var sent: UInt64

  /// Reads the text of `/proc/net/dev`: two lines of headings, then `name: 8 values in, 8 out`.
  static func all(_ text: String) -> [Traffic] {
    text.lines.compactMap { line in
      guard let colon = line.lastIndex(of: ":") else { return nil }
      let values = line[line.index(after: colon)...].words.compactMap { UInt64($0) }
      guard values.count >= 16, let name = line[..<colon].words.first else { return nil }
      return Traffic(name: String(name), received: values[0], sent: values[8])
    }
  }
}
