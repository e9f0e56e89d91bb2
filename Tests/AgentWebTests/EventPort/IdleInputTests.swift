import NIOCore
import NIOEmbedded
import Testing

@testable import AgentWeb

@Suite struct IdleInputTests {
  /// Notes what is closed. The input alone can't be closed here.
  private final class Closing: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var hasClosedInput = false

    func close(
      context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
      guard mode == .input else { return context.close(mode: mode, promise: promise) }
      hasClosedInput = true
      promise?.succeed(())
    }
  }

  @Test func `the input of a client that sends nothing is closed after the limit`() throws {
    let closing = Closing()
    let channel = EmbeddedChannel(handlers: [closing, IdleInput(.seconds(10))])
    channel.read()
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    // Another request for input doesn't begin the time again.
    channel.read()
    #expect(!closing.hasClosedInput)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(closing.hasClosedInput)
    _ = try channel.finish()
  }

  @Test func `each piece of input begins the time again`() throws {
    let closing = Closing()
    let channel = EmbeddedChannel(handlers: [closing, IdleInput(.seconds(10))])
    for _ in 0..<3 {
      channel.read()
      channel.embeddedEventLoop.advanceTime(by: .seconds(9))
      try channel.writeInbound(ByteBuffer(string: "x"))
      #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "x"))
    }
    #expect(!closing.hasClosedInput)
    channel.read()
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    #expect(closing.hasClosedInput)
    _ = try channel.finish()
  }

  @Test func `a client that isn't read is never idle`() throws {
    let closing = Closing()
    let channel = EmbeddedChannel(handlers: [closing, IdleInput(.seconds(10))])
    channel.embeddedEventLoop.advanceTime(by: .seconds(1000))
    channel.read()
    try channel.writeInbound(ByteBuffer(string: "x"))
    channel.embeddedEventLoop.advanceTime(by: .seconds(1000))
    #expect(!closing.hasClosedInput)
    _ = try channel.finish()
  }

  @Test func `a connection that has ended leaves no timer`() throws {
    let closing = Closing()
    let channel = EmbeddedChannel(handlers: [closing, IdleInput(.seconds(10))])
    channel.read()
    _ = try channel.finish()
    channel.embeddedEventLoop.advanceTime(by: .seconds(1000))
    #expect(!closing.hasClosedInput)
  }
}
