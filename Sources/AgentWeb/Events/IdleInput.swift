internal import NIOCore

/// Ends what a client says when nothing has come from it for too long.
///
/// Only while something is awaited: a client that isn't read from, because the log is busy, isn't
/// idle.
final class IdleInput: ChannelDuplexHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = NIOAny

  private let limit: TimeAmount
  private var timer: Scheduled<Void>?

  init(_ limit: TimeAmount) { self.limit = limit }

  func read(context: ChannelHandlerContext) {
    if timer == nil {
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
        context.close(mode: .input, promise: nil)
      }
    }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    endTimer()
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    endTimer()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { endTimer() }

  private func endTimer() {
    timer?.cancel()
    timer = nil
  }
}
