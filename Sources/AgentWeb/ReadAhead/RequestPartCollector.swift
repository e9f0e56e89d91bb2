internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Passes on the parts of requests, and the pieces of a body as one. Tells ``ReadAheadHandler`` what
/// the decoder makes of its bytes.
///
/// Rationale: each part that waits takes a hundred bytes or more. A body of chunks that have one
/// byte each would take twenty times what the client has sent.
final class RequestPartCollector: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let reader: ReadAheadHandler
  private var body: ByteBuffer?

  init(_ reader: ReadAheadHandler) { self.reader = reader }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      let fields = head.headerFields
      reader.decoded {
        $0.head(
          length: fields[.contentLength].flatMap { Int($0) },
          isChunked: fields[.transferEncoding] != nil)
      }
    case .body(let bytes):
      reader.decoded { $0.body(bytes.readableBytes) }
      if body?.writeImmutableBuffer(bytes) == nil { body = bytes }
      return
    case .end:
      reader.decoded { $0.requestEnded() }
      flush(context)
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    flush(context)
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    flush(context)
    context.fireErrorCaught(error)
  }

  private func flush(_ context: ChannelHandlerContext) {
    guard let bytes = body.take() else { return }
    context.fireChannelRead(wrapInboundOut(.body(bytes)))
  }
}
