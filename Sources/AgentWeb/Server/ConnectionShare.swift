internal import AgentSettings
internal import NIOCore
internal import NIOHTTPTypesHTTP1
internal import Synchronization

/// Counts the connections of each client, so that one client can't use all of them.
final class ConnectionShares: Sendable {
  private let most: Int
  private let exempt: [NetworkPrefix]
  private let open = Mutex<[String: Int]>([:])

  /// - Parameters:
  ///   - most: the maximum number of connections of one client.
  ///   - exempt: the addresses that many clients share.
  init(most: Int, exempt: [NetworkPrefix]) {
    self.most = most
    self.exempt = exempt
  }

  /// Returns whether a client may have one more connection. The caller returns each by
  /// ``release(_:)``.
  func take(_ address: String) -> Bool {
    if exempt.contains(where: { $0.contains(address) }) { return true }
    return open.withLock { open in
      let count = open[Self.key(address), default: 0]
      guard count < most else { return false }
      open[Self.key(address)] = count + 1
      return true
    }
  }

  func release(_ address: String) {
    if exempt.contains(where: { $0.contains(address) }) { return }
    open.withLock { open in
      let left = open[Self.key(address), default: 1] - 1
      open[Self.key(address)] = left > 0 ? left : nil
    }
  }

  private static func key(_ address: String) -> String { NetworkPrefix.client(at: address) }
}

/// Closes a new connection of a client that has its maximum.
///
/// The connection gets no answer. A client with this number of connections doesn't read any, and
/// each answer would cost a TLS handshake.
final class ConnectionShare: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let shares: ConnectionShares
  private var address: String?

  init(_ shares: ConnectionShares) { self.shares = shares }

  func handlerAdded(context: ChannelHandlerContext) {
    // The codec drops the host name of the target, so the handler stands before it.
    do {
      let pipeline = context.pipeline.syncOperations
      let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
      try pipeline.addHandler(AbsoluteForm(), position: .before(codec))
    } catch {
      return context.close(promise: nil)
    }
    if context.channel.isActive { take(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    take(context)
    context.fireChannelActive()
  }

  private func take(_ context: ChannelHandlerContext) {
    guard address == nil, let peer = context.channel.remoteAddress?.ipAddress else { return }
    guard shares.take(peer) else { return context.close(promise: nil) }
    address = peer
  }

  func channelInactive(context: ChannelHandlerContext) {
    release()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { release() }

  private func release() {
    if let peer = address { shares.release(peer) }
    address = nil
  }
}
