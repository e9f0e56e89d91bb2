import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTPS server with a certificate of its own, which remembers what was asked of it.
final class TLSReceiver: Sendable {
  private let channel: any Channel
  private let exchange: Exchange

  /// - Parameters:
  ///   - locations: where the first requests are redirected to (307); the others get 200.
  ///   - host: 127.0.0.1, or another address of this machine.
  init(
    _ identity: TestCertificates.Identity, redirecting locations: [String] = [],
    on host: String = "127.0.0.1"
  ) async throws {
    let exchange = Exchange(locations)
    let chain = try NIOSSLCertificate.fromPEMFile(identity.certificate)
    let key = try NIOSSLPrivateKey(file: identity.key, format: .pem)
    let context = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(NIOSSLServerHandler(context: context))
          try pipeline.configureHTTPServerPipeline()
          try pipeline.addHandler(AnsweringHandler(exchange))
        }
      }.bind(host: host, port: 0).get()
    self.exchange = exchange
  }

  deinit { channel.close(promise: nil) }

  var port: Int { channel.localAddress?.port ?? 0 }

  /// The paths of the requests so far.
  var paths: [String] { exchange.paths }
}

/// The request that came, and the response to give.
private final class Exchange: Sendable {
  private struct State {
    var paths: [String] = []
    var locations: [String]
  }

  private let state: Mutex<State>

  init(_ locations: [String]) { state = Mutex(State(locations: locations)) }

  var paths: [String] { state.withLock { $0.paths } }

  /// Where the request is redirected to; nil when it is taken.
  func answer(_ path: String) -> String? {
    state.withLock { state in
      state.paths.append(path)
      return state.locations.isEmpty ? nil : state.locations.removeFirst()
    }
  }
}

private final class AnsweringHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let exchange: Exchange
  private var path = ""

  init(_ exchange: Exchange) { self.exchange = exchange }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): path = head.uri
    case .body: break
    case .end:
      let location = exchange.answer(path)
      var headers: HTTPHeaders = ["content-length": "0"]
      if let location { headers.add(name: "location", value: location) }
      let status: HTTPResponseStatus = location == nil ? .ok : .temporaryRedirect
      let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
