internal import AgentEvents
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import ServiceLifecycle

extension Response {
  /// Streams the elements of a sequence until it ends. The stream also ends when its client
  /// disconnects, when its token ends and when the host stops. Without that an idle stream would
  /// never notice any of it, and the host waits for every connection.
  ///
  /// Rationale: callbacks report these events, so no task has to wait for them. An idle stream
  /// needs little more memory than its connection.
  /// - Parameters:
  ///   - isRepeated: whether `text` is called again for the same element until it returns an empty
  ///     text. Data for a slow reader is then made in pieces and not as a whole.
  ///   - opening: sent at once, unless it is empty. It tells the client that nothing is missed from
  ///     here on.
  ///   - end: ends the sequence. It is called when nobody reads any more, perhaps several times.
  init<Elements: AsyncSequence & Sendable>(
    streaming elements: Elements, to call: APICall, as contentType: String, opening: String,
    isRepeated: Bool = false, text: @escaping @Sendable (Elements.Element) -> String,
    end: @escaping @Sendable () -> Void
  ) where Elements.Element: Sendable {
    let (client, tokenEnd) = (call.client, call.tokenEnd)
    let account = call.account
    let body = ResponseBody { writer in
      client?.whenGone(end)
      let number = tokenEnd?.whenEnded(end) ?? 0
      defer {
        client?.isAwaitedNoMore()
        tokenEnd?.forget(number)
        account?.close()
        end()
      }
      try await withGracefulShutdownHandler {
        if !opening.isEmpty { try await writer.write(ByteBuffer(string: opening)) }
        for try await element in elements {
          var piece = text(element)
          while !piece.isEmpty {
            account?.began(writing: piece.utf8.count)
            var bytes = ByteBuffer(string: piece)
            // The text isn't kept beside its copy while the client reads.
            piece = ""
            while let part = bytes.takePart() {
              // What waits isn't sent any more. The connection breaks off, so that a part of an
              // answer isn't taken for all of it.
              try tokenEnd?.check()
              try await writer.write(part)
            }
            account?.wrote()
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

extension ByteBuffer {
  /// The maximum size of a part. A connection takes one beyond what its client has read.
  private static let partSize = 64 << 10

  /// Removes the first part of a long text, for a client that may not read. Nil means that all is
  /// taken.
  ///
  /// Rationale: a connection accepts a buffer of any size at once. The stream would then count as
  /// read while the connection holds all of it. A part is a copy, because a slice would keep the
  /// memory of the whole text.
  fileprivate mutating func takePart() -> ByteBuffer? {
    let isWhole = readerIndex == 0 && readableBytes <= Self.partSize
    guard let part = readSlice(length: min(readableBytes, Self.partSize)), part.readableBytes > 0
    else { return nil }
    return isWhole ? part : ByteBuffer(bytes: part.readableBytesView)
  }
}
