internal import AgentSettings
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTPTypes

/// Ends connections of the port that make no progress: a request that doesn't arrive, a body that
/// is too slow, an answer that isn't read, or an unused connection. A stream without events gets a
/// heartbeat and ends after its time.
///
/// Each connection has one timer on its own event loop. ``ConnectionPace`` has the rules.
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private var pace: ConnectionPace
  private var timer: Scheduled<Void>?
  private var heartbeat: ByteBuffer?
  /// Whether the next answer has an end.
  private var answersWhole = false
  /// Whether the stream's end is written. Nothing may follow it.
  private var hasEndedStream = false

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
    case .head: pace.head(now: .now())
    case .body(let bytes): pace.body(bytes.readableBytes)
    case .end: pace.requestEnded(now: .now())
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !hasEndedStream else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(let head):
      heartbeat = answersWhole ? nil : Self.heartbeat(head)
      answersWhole = false
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

  /// Prepares a connection for the body of a request. A client that waits for `100 Continue` gets
  /// it. Lines may arrive at any pace if the route accepts lines. Called after the route, the
  /// principal and its scope are checked, because an open body holds a connection.
  static func expectBody(
    _ request: Request, of route: APIRoute, on channel: any Channel
  ) async {
    guard let body = route.body else { return }
    let isLines = request.headers[.contentType].flatMap(MediaType.init(header:)) == .lines
    let isStream = isLines && body.isRead(as: .lines)
    let isAwaited = request.headers[.expect]?.lowercased() == "100-continue"
    guard isStream || isAwaited else { return }
    await tell(channel) { watch, context in
      if isStream { watch.pace.receivesLines() }
      guard isAwaited else { return }
      let head = HTTPResponse(status: .continue)
      context.writeAndFlush(watch.wrapOutboundOut(.head(head)), promise: nil)
    }
  }

  /// Marks the next answer of a connection as one with an end. The stream limit doesn't apply,
  /// because a cut answer would look like a complete one.
  static func answersWhole(on channel: any Channel) async {
    await tell(channel) { watch, _ in watch.answersWhole = true }
  }

  private static func tell(
    _ channel: any Channel,
    _ action: @escaping @Sendable (ConnectionWatch, ChannelHandlerContext) -> Void
  ) async {
    // An ended connection has no watch any more, and connections of the socket never have one.
    try? await channel.eventLoop.submit {
      let context = try channel.pipeline.syncOperations.context(handlerType: ConnectionWatch.self)
      if let watch = context.handler as? ConnectionWatch { action(watch, context) }
    }.get()
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
      endStream(context)
    case .close:
      context.close(promise: nil)
      return
    }
    schedule(context)
  }

  /// Ends a stream whose time is over. Rationale: the connection closes only after everything
  /// before has been sent. If it closed at once, the data of a slow reader would be lost. The body
  /// would end in the middle of a message, which looks like a fault.
  private func endStream(_ context: ChannelHandlerContext) {
    hasEndedStream = true
    let isOut = context.eventLoop.makePromise(of: Void.self)
    isOut.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: isOut)
  }

  /// Returns the heartbeat of a stream. Nil means that the answer isn't a stream.
  private static func heartbeat(_ head: HTTPResponse) -> ByteBuffer? {
    switch head.headerFields[.contentType] {
    case MediaType.events.rawValue: ByteBuffer(string: ": \n\n")
    case MediaType.lines.rawValue: ByteBuffer(string: "\n")
    default: nil
    }
  }
}
