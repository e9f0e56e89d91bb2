import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import AgentWeb

@Suite struct ClientPresenceTests {
  /// Counts the calls of an action.
  private final class Calls: Sendable {
    private let calls = Mutex(0)

    var count: Int { calls.withLock(\.self) }

    func add() { calls.withLock { $0 += 1 } }
  }

  @Test func `the action is called once when the client closes its side`() throws {
    let (presence, calls) = (ClientPresence(), Calls())
    let channel = EmbeddedChannel(handler: presence)
    presence.whenGone { calls.add() }
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.outputClosed)
    #expect(calls.count == 0)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(calls.count == 1)
    _ = try channel.finish()
    #expect(calls.count == 1)
  }

  @Test func `the action is called at once when the client has gone before`() throws {
    let (presence, calls) = (ClientPresence(), Calls())
    let channel = EmbeddedChannel(handler: presence)
    _ = try channel.finish()
    presence.whenGone { calls.add() }
    #expect(calls.count == 1)
  }

  @Test func `only the action of the last request is called`() throws {
    let (presence, former, last) = (ClientPresence(), Calls(), Calls())
    let channel = EmbeddedChannel(handler: presence)
    presence.whenGone { former.add() }
    presence.whenGone { last.add() }
    _ = try channel.finish()
    #expect(former.count == 0 && last.count == 1)
  }

  @Test func `a client that disconnects after its answer ends no work`() throws {
    let (presence, calls) = (ClientPresence(), Calls())
    let channel = EmbeddedChannel(handler: presence)
    presence.whenGone { calls.add() }
    presence.isAwaitedNoMore()
    _ = try channel.finish()
    #expect(calls.count == 0)
    // The connection has ended nevertheless.
    presence.isAwaitedNoMore()
    presence.whenGone { calls.add() }
    #expect(calls.count == 1)
  }
}
