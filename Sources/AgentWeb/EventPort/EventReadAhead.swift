internal import NIOCore
internal import Synchronization

/// What one client of the event port has sent and nobody has taken: pieces that wait, and the
/// beginning of a line whose end hasn't come. The budget of all connections counts it. Safe from
/// every thread.
final class EventReadAhead: Sendable {
  /// The budget has room again for a read that had to wait. It is an event of the channel.
  struct MayRead: Sendable {}

  private struct State {
    var waiting = 0
    var line = 0
  }

  private let share: ReadAheadBudget.Share
  private let state = Mutex(State())

  init(_ channel: any Channel, _ budget: ReadAheadBudget) {
    // Both later: the budget calls while another connection changes its own part.
    share = budget.share(
      of: { channel.peer },
      end: { channel.eventLoop.execute { channel.close(promise: nil) } },
      resume: {
        channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(MayRead()) }
      })
  }

  /// Returns whether the connection may read a piece now. If not, ``MayRead`` follows.
  func mayRead() -> Bool { share.mayRead() }

  /// A piece has arrived.
  func received(_ bytes: Int) { change { $0.waiting += bytes } }

  /// A piece was taken.
  /// - Parameter line: what is held of a line without its end, in bytes.
  func took(_ bytes: Int, line: Int) {
    change { state in
      state.waiting -= bytes
      state.line = line
    }
  }

  /// The connection has ended.
  func end() { share.end() }

  private func change(_ body: (inout State) -> Void) {
    // Under the lock, or an older number could be the last one that is set.
    state.withLock { state in
      body(&state)
      share.set(state.waiting + state.line)
    }
  }
}

/// Reads from the socket of a client of the event port as far as the budget of all connections
/// allows. It stands behind the timer for silent clients, whose time doesn't count meanwhile.
final class EventReadAheadHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = NIOAny

  private let held: EventReadAhead
  private var isWaiting = false

  init(_ held: EventReadAhead) { self.held = held }

  func read(context: ChannelHandlerContext) {
    isWaiting = !held.mayRead()
    if !isWaiting { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    // A few bytes would keep the whole buffer that they were read into.
    if bytes.readableBytes < bytes.storageCapacity / 4 {
      bytes = ByteBuffer(bytes: bytes.readableBytesView)
    }
    held.received(bytes.readableBytes)
    context.fireChannelRead(wrapInboundOut(bytes))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is EventReadAhead.MayRead else {
      return context.fireUserInboundEventTriggered(event)
    }
    if isWaiting { read(context: context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    held.end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { held.end() }
}
