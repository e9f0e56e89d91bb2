internal import AgentSettings
internal import NIOCore
internal import NIOHTTPTypesHTTP1
internal import Synchronization

/// Counts the connections of each client, so that one client can't use all of them.
final class ConnectionShares: Sendable {
  private struct State {
    /// The connections of each client.
    var open: [String: Int] = [:]
    /// Those of other machines.
    var remote = 0
  }

  private let most: Int
  private let remote: Int
  private let exempt: [NetworkPrefix]
  private let closed: EndedConnections
  private let state = Mutex(State())

  /// - Parameters:
  ///   - most: the maximum number of connections of one client.
  ///   - remote: that of all other machines together. The rest is for this machine.
  ///   - exempt: the addresses that many clients share.
  ///   - closed: logs the connections that are closed.
  init(
    most: Int, remote: Int = .max, exempt: [NetworkPrefix],
    closed: EndedConnections = EndedConnections(log: { _ in })
  ) {
    self.closed = closed
    self.most = most
    self.remote = remote
    self.exempt = exempt
  }

  /// Returns whether a client may have one more connection. The caller returns each by
  /// ``release(_:)``, and closes a connection that may not be.
  func take(_ address: String) -> Bool {
    guard let limit = reached(address) else { return true }
    // Outside of the lock.
    closed.add(address, reason: limit)
    return false
  }

  /// Counts a connection. Returns the limit that it would exceed, as a clause for the log.
  private func reached(_ address: String) -> String? {
    let isShared = exempt.contains { $0.contains(address) }
    let isRemote = !Self.isLocal(address)
    return state.withLock { state in
      if isRemote, state.remote >= remote {
        return "other machines are at their limit of \(remote), from http.limits.connections."
      }
      if !isShared {
        let count = state.open[Self.key(address), default: 0]
        guard count < most else {
          return "its address is at its limit of \(most), "
            + "from http.limits.connections_per_address."
        }
        state.open[Self.key(address)] = count + 1
      }
      if isRemote { state.remote += 1 }
      return nil
    }
  }

  func release(_ address: String) {
    let isShared = exempt.contains { $0.contains(address) }
    state.withLock { state in
      if !Self.isLocal(address) { state.remote -= 1 }
      if isShared { return }
      let left = state.open[Self.key(address), default: 1] - 1
      state.open[Self.key(address)] = left > 0 ? left : nil
    }
  }

  /// Whether a program on this machine has connected.
  private static func isLocal(_ address: String) -> Bool {
    loopback.contains { $0.contains(address) }
  }

  private static let loopback = ["127.0.0.0/8", "::1"].compactMap(NetworkPrefix.init(parsing:))

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
