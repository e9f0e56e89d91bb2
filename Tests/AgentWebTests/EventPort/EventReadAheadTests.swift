import NIOCore
import NIOEmbedded
import Testing

@testable import AgentWeb

/// What clients of the event port send ahead counts for the budget of all connections.
@Suite struct EventReadAheadTests {
  /// Counts the reads that reach the socket.
  private final class Socket: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny
    var reads = 0
    func read(context: ChannelHandlerContext) { reads += 1 }
  }

  private let socket = Socket()
  // A piece has 16 KiB, and a quarter is kept free, so a read needs 32 KiB of free budget.
  private let budget = ReadAheadBudget(maxBytes: 64 << 10)

  private func connect() throws -> (channel: EmbeddedChannel, held: EventReadAhead) {
    let channel = EmbeddedChannel()
    let held = EventReadAhead(channel, budget)
    try channel.pipeline.syncOperations.addHandlers([socket, EventReadAheadHandler(held)])
    try channel.syncOptions?.setOption(.autoRead, value: false)
    try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    return (channel, held)
  }

  private func send(_ count: Int, to channel: EmbeddedChannel) throws {
    try channel.writeInbound(ByteBuffer(repeating: 0x20, count: count))
  }

  @Test func `the socket is read while the budget has room, and again when it has`() throws {
    let (channel, held) = try connect()
    channel.read()
    #expect(socket.reads == 1)
    try send(40_000, to: channel)
    #expect(budget.bytes == 40_000)
    channel.read()
    #expect(socket.reads == 1)
    held.took(10_000, line: 0)
    channel.embeddedEventLoop.run()
    #expect(socket.reads == 2 && budget.bytes == 30_000)
    _ = try channel.finish()
    #expect(budget.bytes == 0)
  }

  @Test func `a line without its end counts until it ends`() throws {
    let (channel, held) = try connect()
    try send(40_000, to: channel)
    held.took(40_000, line: 40_000)
    #expect(budget.bytes == 40_000)
    channel.read()
    #expect(socket.reads == 0)
    held.took(0, line: 0)
    channel.embeddedEventLoop.run()
    #expect(socket.reads == 1 && budget.bytes == 0)
    _ = try channel.finish()
  }

  @Test func `the connection that holds the most ends when the budget is exceeded`() throws {
    let (small, _) = try connect()
    let (large, held) = try connect()
    try send(1_000, to: small)
    try send(40_000, to: large)
    held.took(40_000, line: 66_000)
    for channel in [small, large] { channel.embeddedEventLoop.run() }
    #expect(small.isActive && !large.isActive)
    #expect(budget.bytes == 1_000)
    _ = try small.finish()
    _ = try? large.finish(acceptAlreadyClosed: true)
  }

  @Test func `a few bytes don't keep the buffer that they were read into`() throws {
    let (channel, _) = try connect()
    var buffer = channel.allocator.buffer(capacity: 16 << 10)
    buffer.writeString("{}")
    try channel.writeInbound(buffer)
    let piece = try #require(try channel.readInbound(as: ByteBuffer.self))
    #expect(piece.readableBytes == 2 && piece.storageCapacity < 1_000)
    _ = try channel.finish()
  }
}
