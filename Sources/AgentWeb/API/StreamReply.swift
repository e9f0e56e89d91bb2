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
  ///   - isRepeated: whether `text` is asked again for the same element until it has nothing more to
  ///     say: what waits for a slow reader is made in pieces then, and not as a whole.
  ///   - opening: sent at once, unless empty: from here on nothing is missed.
  ///   - end: ends the sequence; called when nobody reads any more, perhaps more than once.
  init<Elements: AsyncSequence & Sendable>(
    streaming elements: Elements, to call: APICall, as contentType: String, opening: String,
    isRepeated: Bool = false, text: @escaping @Sendable (Elements.Element) -> String,
    end: @escaping @Sendable () -> Void
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
          var piece = text(element)
          while !piece.isEmpty {
            try await writer.write(ByteBuffer(string: piece))
            piece = isRepeated ? text(element) : ""
          }
        }
      } onGracefulShutdown: {
        end()
      }
      try await writer.finish(nil)
    }
    self.init(status: .ok, headers: [.contentType: contentType], body: body)
  }
}
