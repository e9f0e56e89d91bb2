internal import NIOCore
internal import Glibc

/// Admits only the host's user and root to the management socket. The kernel names the peer's uid.
/// Workers have the same uid and are refused by their pid. The check runs first in every connection
/// and closes a refused one before it gets an answer.
final class PeerCheck: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny
  typealias OutboundIn = NIOAny
  typealias OutboundOut = NIOAny

  /// The kernel's `struct ucred`.
  private struct Credentials: Sendable {
    var pid: Int32 = 0
    var uid: UInt32 = .max
    var gid: UInt32 = .max
  }

  private static let peerCredentials = NIOBSDSocket.Option(rawValue: 17)  // SO_PEERCRED
  private let admits: @Sendable (Int32) -> Bool
  private var isAllowed = false

  /// - Parameter admits: returns whether the process with this id may connect. Called on the
  ///   channel's event loop.
  init(admits: @escaping @Sendable (Int32) -> Bool) { self.admits = admits }

  func handlerAdded(context: ChannelHandlerContext) {
    guard let options = context.channel as? any SocketOptionProvider else {
      context.close(promise: nil)
      return
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
      level: .socket, name: Self.peerCredentials)
    // On the channel's own event loop the result is ready at once, before any data is read.
    credentials.whenComplete { result in
      let (check, context) = bound.value
      if case .success(let peer) = result, peer.uid == getuid() || peer.uid == 0,
        check.admits(peer.pid)
      {
        check.isAllowed = true
      } else {
        context.close(promise: nil)
      }
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // A connection that is being closed may still deliver data.
    if isAllowed { context.fireChannelRead(data) }
  }
}
