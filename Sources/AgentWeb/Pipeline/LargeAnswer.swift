internal import AgentEvents
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Counts the answers that their clients haven't read yet, together with the streams.
///
/// Rationale: an answer may have megabytes, and one client may have hundreds of connections. The
/// limits of a connection's pace alone would let a client that doesn't read fill the memory first.
enum LargeAnswer {
  /// A smaller answer isn't counted. A connection takes one part beyond what its client has read.
  static let partSize = 64 << 10

  /// Enters an answer into the budget until its client has taken it.
  /// - Parameter end: ends the client's connection. It must not block.
  static func account(
    _ response: inout Response, in budget: StreamBudget, end: @escaping @Sendable () -> Void
  ) {
    guard let length = response.body.contentLength, length > partSize else { return }
    let account = budget.account(end)
    account.began(writing: length)
    let body = response.body
    response.body = ResponseBody(contentLength: length) { writer in
      try await body.write(AccountedWriter(writer: writer, account: account, left: length))
    }
  }
}

/// Writes an answer in parts, and tells the account what is left after each.
private struct AccountedWriter: ResponseBodyWriter {
  var writer: any ResponseBodyWriter
  let account: StreamAccount
  /// The bytes that the client hasn't taken.
  var left: Int

  mutating func write(_ buffer: ByteBuffer) async throws {
    var buffer = buffer
    while buffer.readableBytes > 0,
      let part = buffer.readSlice(length: min(buffer.readableBytes, LargeAnswer.partSize))
    {
      // A client that takes its answer slowly isn't one that takes nothing.
      account.began(writing: left)
      try await writer.write(part)
      left -= part.readableBytes
    }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await writer.finish(trailingHeaders)
    account.close()
  }
}
