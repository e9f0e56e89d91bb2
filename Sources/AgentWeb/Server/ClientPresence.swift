internal import NIOCore
internal import Synchronization

/// Whether the client of a connection is still there; who waits for its end is told.
///
/// A client that ends its side of the connection has gone: nothing tells it from one that has ended
/// altogether, until something is written that nobody takes.
final class ClientPresence: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = NIOAny

  private enum State {
    case there(whenGone: (@Sendable () -> Void)?)
    case gone
  }

  private let state = Mutex(State.there(whenGone: nil))

  /// What a connection's pipeline knows; nil when the connection has ended.
  static func of(_ channel: any Channel) async -> ClientPresence? {
    try? await channel.pipeline.handler(type: ClientPresence.self).get()
  }

  /// Does something when the client goes, at once when it has gone already. A connection has one
  /// request at a time: what was to be done before isn't any more.
  func whenGone(_ action: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      guard case .there = state else { return true }
      state = .there(whenGone: action)
      return false
    }
    if isGone { action() }
  }

  /// Nobody waits for its end any more.
  func isAwaitedNoMore() {
    state.withLock { if case .there = $0 { $0 = .there(whenGone: nil) } }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent { leave() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { leave() }

  private func leave() {
    let action = state.withLock { state in
      defer { state = .gone }
      return if case .there(let action) = state { action } else { nil as (@Sendable () -> Void)? }
    }
    action?()
  }
}
