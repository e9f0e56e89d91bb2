internal import NIOCore

/// Ends the input of a client that sends nothing for too long.
///
/// The time counts only while input is awaited. A client that isn't read because the log is busy
/// isn't idle.
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
