internal import AgentSettings
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Sees to it that a client of the port gets on: a request that doesn't arrive, a body that drips,
/// an answer that isn't read, a connection that nobody uses are ended; a stream on which nothing
/// happens says so, and ends after its time.
///
/// One timer a connection, on its own event loop. The rules are those of ``ConnectionPace``.
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private var pace: ConnectionPace
  private var timer: Scheduled<Void>?
  private var heartbeat: ByteBuffer?

  init(_ limits: HTTPSettings.Limits) { pace = ConnectionPace(limits) }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { start(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    start(context)
    context.fireChannelActive()
  }

  private func start(_ context: ChannelHandlerContext) {
    pace.opened(now: .now())
    schedule(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): pace.head(isStream: Self.isStream(head), now: .now())
    case .body(let bytes): pace.body(bytes.readableBytes)
    case .end: pace.requestEnded(now: .now())
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      heartbeat = Self.heartbeat(head)
      pace.answering(isStream: heartbeat != nil, now: .now())
      schedule(context)
    case .body: pace.wrote(now: .now())
    case .end: pace.answered(now: .now())
    }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    pace.writable(context.channel.isWritable, now: .now())
    context.fireChannelWritabilityChanged()
  }

  private func schedule(_ context: ChannelHandlerContext) {
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: pace.next) { [self] in
      look(context)
    }
  }

  private func look(_ context: ChannelHandlerContext) {
    switch pace.look(now: .now(), isWritable: context.channel.isWritable) {
    case .wait: break
    case .heartbeat:
      if let heartbeat {
        context.writeAndFlush(wrapOutboundOut(.body(heartbeat)), promise: nil)
      }
    case .endStream:
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      context.close(promise: nil)
      return
    case .close:
      context.close(promise: nil)
      return
    }
    schedule(context)
  }

  /// Lines of JSON may come as slowly as they happen.
  private static func isStream(_ head: HTTPRequest) -> Bool {
    head.headerFields[.contentType].flatMap(MediaType.init(header:)) == .lines
  }

  /// What says on a stream that it is still there; nil for what isn't one.
  private static func heartbeat(_ head: HTTPResponse) -> ByteBuffer? {
    switch head.headerFields[.contentType] {
    case MediaType.events.rawValue: ByteBuffer(string: ": \n\n")
    case MediaType.lines.rawValue: ByteBuffer(string: "\n")
    default: nil
    }
  }
}
