import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import AgentWeb

/// The handlers that read ahead, around the real decoder.
@Suite struct ReadAheadHandlerTests {
  /// Holds the host's question for more back until the test takes the parts, and counts the reads.
  private final class Taker: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart

    var events: [String] = []
    private var parts: [HTTPRequestPart] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      parts.append(unwrapInboundIn(data))
    }

    func read(context: ChannelHandlerContext) { if parts.isEmpty { context.read() } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      events.append("\(event)")
    }

    func take(_ channel: EmbeddedChannel) -> [String] {
      let taken = parts.map { part in
        switch part {
        case .head(let head): head.path ?? ""
        case .body(let bytes): String(buffer: bytes)
        case .end: "end"
        }
      }
      parts = []
      channel.read()
      return taken
    }
  }

  /// Counts the reads that reach the socket.
  private final class Socket: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny
    var reads = 0
    func read(context: ChannelHandlerContext) { reads += 1 }
  }

  private let taker = Taker()
  private let socket = Socket()
  private let budget = ReadAheadBudget()

  private func connect(_ other: ReadAheadBudget? = nil) throws -> EmbeddedChannel {
    let reader = ReadAheadHandler(other ?? budget)
    let channel = EmbeddedChannel()
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandlers([socket, reader])
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: false)
    try pipeline.addHandlers([
      HTTP1ToHTTPServerCodec(secure: false), RequestPartCollector(reader), taker,
    ])
    try channel.syncOptions?.setOption(.autoRead, value: false)
    try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    return channel
  }

  private func send(_ text: String, to channel: EmbeddedChannel) throws {
    try channel.writeInbound(ByteBuffer(string: text))
  }

  @Test func `requests that were sent at once are decoded one after the other`() throws {
    let channel = try connect()
    try send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n", to: channel)
    #expect(taker.take(channel) == ["/1", "end"])
    #expect(taker.take(channel) == ["/2", "end"])
    #expect(taker.take(channel) == [])
    #expect(budget.bytes == 0)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `the chunks of a piece are one part`() throws {
    let channel = try connect()
    let head = "POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    try send(head + "1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n" + head, to: channel)
    #expect(taker.take(channel) == ["/1", "abc", "end"])
    #expect(taker.take(channel) == ["/1"])
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `a read that brings no whole record is followed by another`() throws {
    let channel = try connect()
    for reads in 1...3 {
      #expect(socket.reads == reads)
      channel.pipeline.fireChannelReadComplete()
    }
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `the socket isn't read while a piece waits`() throws {
    let channel = try connect()
    #expect(socket.reads == 1)
    let head = "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"
    try send(head + String(repeating: "x", count: 16_000), to: channel)
    let reads = socket.reads
    #expect(budget.bytes == head.utf8.count + 16_000)
    channel.read()
    #expect(socket.reads == reads)
    #expect(taker.take(channel).count == 2)
    #expect(socket.reads == reads + 1 && budget.bytes == 0)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `the end of a client's side comes after its requests, and is known before`() throws {
    let channel = try connect()
    try send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n", to: channel)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(taker.events == ["closedItsSide"])
    #expect(taker.take(channel) == ["/1", "end"])
    #expect(taker.events == ["closedItsSide"])
    #expect(taker.take(channel) == ["/2", "end"])
    #expect(taker.events == ["closedItsSide", "inputClosed"])
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `a client that has closed its side keeps no piece for a read that had to wait`()
    throws
  {
    let budget = ReadAheadBudget(maxBytes: 4 * ReadAhead.pieceSize)
    let large = budget.share(of: { nil }, end: {}, resume: {})
    large.set(3 * ReadAhead.pieceSize)
    let channel = try connect(budget)
    #expect(socket.reads == 0)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    large.set(2 * ReadAhead.pieceSize)
    channel.embeddedEventLoop.run()
    #expect(socket.reads == 0)
    let late = budget.share(of: { nil }, end: {}, resume: {})
    #expect(late.mayRead())
    withExtendedLifetime(large) {}
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `a connection that has ended holds nothing`() throws {
    let channel = try connect()
    try send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2", to: channel)
    #expect(budget.bytes > 0)
    _ = try? channel.finish(acceptAlreadyClosed: true)
    #expect(budget.bytes == 0)
  }
}
