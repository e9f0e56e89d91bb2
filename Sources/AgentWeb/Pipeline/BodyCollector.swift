internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Collects the bytes of a complete answer.
struct BodyCollector: ResponseBodyWriter {
  private final class Bytes {
    var value = ByteBuffer()
  }

  private let bytes = Bytes()

  mutating func write(_ buffer: ByteBuffer) async throws {
    bytes.value.writeImmutableBuffer(buffer)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}

  /// Returns the bytes of a body. Returns nil for a stream.
  static func bytes(of body: ResponseBody) async throws -> [UInt8]? {
    guard body.contentLength != nil else { return nil }
    let collector = BodyCollector()
    try await body.write(collector)
    return Array(collector.bytes.value.readableBytesView)
  }
}
