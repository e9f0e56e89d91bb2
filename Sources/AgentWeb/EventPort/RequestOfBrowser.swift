/// Detects HTTP on the port for events.
///
/// The port is for programs on this machine and needs no password. A browser is such a program, and
/// any page can make it send a request whose body is lines of JSON. A client that speaks HTTP is
/// therefore refused, whatever follows.
enum RequestOfBrowser {
  private static let fields = ["host:", "origin:", "content-length:", "sec-fetch-site:"]
  /// The number of bytes of a line that are examined.
  private static let longest = 16 << 10

  /// Returns whether a line belongs to an HTTP request.
  /// - Parameter isFirst: whether the line is the first of its connection.
  static func hasSent(_ line: some Collection<UInt8>, isFirst: Bool) -> Bool {
    // An event begins with a brace, so most lines need only this test.
    guard let first = line.first, first != UInt8(ascii: "{") else { return false }
    let text = String(decoding: line.prefix(longest), as: UTF8.self).lowercased()
    if fields.contains(where: text.hasPrefix) { return true }
    guard isFirst else { return false }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count >= 3, let method = words.first, let version = words.last else { return false }
    return version.hasPrefix("http/") && method.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }
}
