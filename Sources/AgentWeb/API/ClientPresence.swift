internal import NIOCore
internal import Synchronization

/// Watches whether the client of a connection is still connected, and calls an action when it
/// disconnects.
///
/// A client that closes its side of the connection counts as disconnected. Before a write fails,
/// both look the same.
final class ClientPresence: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = NIOAny

  private enum State {
    case there(whenGone: (@Sendable () -> Void)?)
    case gone
  }

  private let state = Mutex(State.there(whenGone: nil))

  /// Returns the presence of a connection's client. Nil means that the connection has ended.
  static func of(_ channel: any Channel) async -> ClientPresence? {
    try? await channel.pipeline.handler(type: ClientPresence.self).get()
  }

  /// Calls `action` when the client disconnects, or at once if it has done so. A connection answers
  /// one request at a time, so a new action replaces the old one.
  func whenGone(_ action: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      guard case .there = state else { return true }
      state = .there(whenGone: action)
      return false
    }
    // The action runs outside of the lock, because it may call this object.
    if isGone { action() }
  }

  /// Removes the action.
  func isAwaitedNoMore() {
    state.withLock { if case .there = $0 { $0 = .there(whenGone: nil) } }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // On the port, requests that the client has sent before may still wait. It has gone already.
    if event is ClientEvent { leave() }
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
