internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import ServiceLifecycle

extension Response {
  /// Streams what a sequence brings until it ends. The stream ends with its client too, which
  /// nothing else would tell while nothing happens, and with the host, which waits for every
  /// connection.
  ///
  /// Rationale: both are told by calls, without a task that waits: an idle stream is little more than
  /// its connection.
  /// - Parameters:
  ///   - opening: sent at once, unless empty: from here on nothing is missed.
  ///   - end: ends the sequence; called when nobody reads any more, perhaps more than once.
  init<Elements: AsyncSequence & Sendable>(
    streaming elements: Elements, to call: APICall, as contentType: String, opening: String,
    text: @escaping @Sendable (Elements.Element) -> String, end: @escaping @Sendable () -> Void
  ) where Elements.Element: Sendable {
    let client = call.client
    let body = ResponseBody { writer in
      client?.whenGone(end)
      defer {
        client?.isAwaitedNoMore()
        end()
      }
      try await withGracefulShutdownHandler {
        if !opening.isEmpty { try await writer.write(ByteBuffer(string: opening)) }
        for try await element in elements {
          try await writer.write(ByteBuffer(string: text(element)))
        }
      } onGracefulShutdown: {
        end()
      }
      try await writer.finish(nil)
    }
    self.init(status: .ok, headers: [.contentType: contentType], body: body)
  }
}
