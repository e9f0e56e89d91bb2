import AgentSettings
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import AgentWeb

@Suite(.timeLimit(.minutes(5))) struct ConnectionWatchTests {
  /// A client that takes nothing until it is asked to.
  private final class SlowReader: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart

    var held: [(part: HTTPResponsePart, promise: EventLoopPromise<Void>?)] = []
    var isClosed = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      held.append((unwrapOutboundIn(data), promise))
    }

    func close(
      context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
      isClosed = true
      context.close(mode: mode, promise: promise)
    }

    func takeAll() {
      let all = held
      held = []
      for (_, promise) in all { promise?.succeed(()) }
    }
  }

  @Test func `an expired stream ends after its slow reader's pending data`() throws {
    var limits = HTTPSettings().limits
    limits.streamSeconds = 0
    limits.heartbeatSeconds = 1
    let reader = SlowReader()
    let loop = EmbeddedEventLoop()
    let channel = EmbeddedChannel(handlers: [reader, ConnectionWatch(limits)], loop: loop)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
    _ = channel.write(HTTPResponsePart.head(head))
    _ = channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "data: 1\n\n")))
    loop.advanceTime(to: .now() + .seconds(2))
    #expect(reader.held.count == 3)
    guard case .end = reader.held.last?.part else {
      Issue.record("The stream has no end.")
      return
    }
    #expect(!reader.isClosed)
    // What the route still writes comes too late, and isn't put behind the end.
    let late = channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "data: 2\n\n")))
    #expect(throws: ChannelError.self) { try late.wait() }
    #expect(reader.held.count == 3)
    reader.takeAll()
    loop.run()
    #expect(reader.isClosed)
    _ = try? channel.finish()
  }
}
