internal import AgentHost
internal import AgentSystem
internal import HTTPTypes
internal import Hummingbird

/// Compresses answers with gzip for clients that accept it. Small answers aren't worth it, and
/// streams must not be delayed.
enum Compression {
  // An answer of this many bytes fits into one network packet, so compression saves nothing.
  private static let least = 1400

  static func apply(_ response: inout Response, accepting header: String?) async throws {
    guard let length = response.body.contentLength, response.headers[.contentEncoding] == nil
    else { return }
    // A cache must keep both forms apart, even if this answer isn't compressed.
    if response.headers[.cacheControl] != nil { vary(&response) }
    guard let header, length >= least, accepts(header),
      let bytes = try await BodyCollector.bytes(of: response.body)
    else { return }
    var packed = Response(
      bytes: Gzip.packed(bytes), as: response.headers[.contentType] ?? "",
      status: response.status)
    var headers = response.headers
    // The length is that of the uncompressed body. The server sets the new one.
    headers[.contentLength] = nil
    headers[.contentEncoding] = "gzip"
    packed.headers = headers
    vary(&packed)
    response = packed
  }

  /// Adds `Accept-Encoding` to the `Vary` header.
  private static func vary(_ response: inout Response) {
    let said = response.headers[values: .vary].joined(separator: ",").lowercased()
    guard !said.contains("accept-encoding"), !said.contains("*") else { return }
    response.headers[values: .vary].append("accept-encoding")
  }

  /// Returns whether an `Accept-Encoding` header accepts gzip. What it says of gzip counts, and
  /// what it says of `*` if it doesn't name gzip (RFC 9110, section 12.5.3).
  static func accepts(_ header: String) -> Bool {
    var said: [String: Bool] = [:]
    for item in header.lowercased().split(separator: ",") {
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let name = parts.first, said[name] == nil else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      said[name] = weight.flatMap { Double($0) } ?? 1 > 0
    }
    return said["gzip"] ?? said["*"] ?? false
  }
}
