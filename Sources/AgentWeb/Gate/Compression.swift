internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird

/// Packs answers for clients that take gzip. Small ones aren't worth it, streams must not wait for
/// what comes after them.
enum Compression {
  private static let least = 1400

  static func apply(_ response: inout Response, accepting header: String?) async throws {
    guard let header, let length = response.body.contentLength, length >= least,
      accepts(header), response.headers[.contentEncoding] == nil,
      let bytes = try await BodyCollector.bytes(of: response.body)
    else { return }
    var packed = Response(
      bytes: Gzip.packed(bytes), as: response.headers[.contentType] ?? "",
      status: response.status)
    for field in response.headers where field.name != .contentLength {
      packed.headers[field.name] = field.value
    }
    packed.headers[.contentEncoding] = "gzip"
    packed.headers[.vary] = "accept-encoding"
    response = packed
  }

  /// Whether an `Accept-Encoding` takes gzip: named, and not with a weight of nothing.
  static func accepts(_ header: String) -> Bool {
    for item in header.lowercased().split(separator: ",") {
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let name = parts.first, name == "gzip" || name == "*" else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      return weight.flatMap { Double($0) } ?? 1 > 0
    }
    return false
  }
}
