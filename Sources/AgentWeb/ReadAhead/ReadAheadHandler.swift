internal import NIOCore

/// Says at once that the client has closed its side. `ChannelEvent.inputClosed` follows when all
/// that it has sent before was passed on.
enum ClientEvent: Sendable {
  case closedItsSide
}

/// Reads from the socket of a connection, and passes the bytes to the decoder as the host asks for
/// them. ``ReadAhead`` has the rules. It stands before the decoder, and ``RequestPartCollector``
/// behind it.
final class ReadAheadHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = NIOAny
  typealias OutboundOut = NIOAny

  private let budget: ReadAheadBudget
  private var share: ReadAheadBudget.Share?
  private var isPumping = false
  /// Whether the last read had to wait for the budget.
  private var isPostponed = false
  private(set) var state = ReadAhead()

  init(_ budget: ReadAheadBudget) { self.budget = budget }

  func handlerAdded(context: ChannelHandlerContext) {
    let (channel, loop) = (context.channel, context.eventLoop)
    let bound = NIOLoopBound((self, context), eventLoop: loop)
    share = budget.share(
      of: { channel.peer },
      end: { channel.close(promise: nil) },
      resume: {
        // The budget calls from any thread, and may call from within this handler.
        loop.execute {
          let (handler, context) = bound.value
          handler.resume(context)
        }
      })
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    // Nothing reads by itself. The first question comes from here, and each further one from ``pump``.
    context.channel.read()
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    state.received(unwrapInboundIn(data))
    share?.set(state.bytes)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    state.readCompleted()
    pump(context)
  }

  /// The host wants more: it has taken all that was passed.
  func read(context: ChannelHandlerContext) {
    state.wanted()
    pump(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    state.inputClosed()
    context.fireUserInboundEventTriggered(ClientEvent.closedItsSide)
    pump(context)
  }

  /// Called by ``RequestPartCollector`` while bytes are passed to the decoder.
  func decoded(_ change: (inout ReadAhead) -> Void) { change(&state) }

  /// The budget keeps a piece for the read that had to wait.
  private func resume(_ context: ChannelHandlerContext) {
    isPostponed = false
    pump(context)
    // The client may have closed its side meanwhile. The connection reads no more then, and the
    // piece would be kept until its end. A read that waits again is resumed again.
    if !isPostponed { share?.releasePiece() }
  }

  private func pump(_ context: ChannelHandlerContext) {
    // The handlers behind ask for more while bytes are passed to them. The loop below goes on then.
    guard !isPumping, share != nil else { return }
    isPumping = true
    defer { isPumping = false }
    while share != nil {
      switch state.next() {
      case .pass(let bytes): context.fireChannelRead(wrapInboundOut(bytes))
      case .complete:
        context.fireChannelReadComplete()
        // Asks all handlers behind this one. The last one holds the question back until the
        // request has taken its parts.
        context.channel.read()
        share?.set(state.bytes)
      case .read:
        share?.set(state.bytes)
        guard share?.mayRead() == true else {
          state.readPostponed()
          isPostponed = true
          return
        }
        isPostponed = false
        context.read()
        return
      case .endInput: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      case .wait:
        share?.set(state.bytes)
        return
      }
    }
  }

  private func end() {
    share?.end()
    share = nil
  }
}
