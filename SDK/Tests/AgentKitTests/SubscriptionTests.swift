import AgentJSON
import AgentKit
import CAgentModule
import Synchronization
import Testing

@Suite struct SubscriptionTests {
  @Test func `a batch is acknowledged when the next is requested, and closing ends the loop`()
    async throws
  {
    let host = FakeHost()
    let watcher = try FakeInstance("watcher", of: fixtures, host: host)
    let ended = watcher.start()
    while host.subscriber == nil { await Task.yield() }
    let subscriber = try #require(host.subscriber)
    #expect(
      host.state.withLock { $0.requests } == [
        ["query": "count", "window_ms": 60_000, "capacity": 5]
      ])
    lent(#"[{"type": "count"}, {"type": "count"}]"#) { subscriber.events(subscriber.ctx, 7, $0, 3) }
    lent("") { subscriber.closed(subscriber.ctx, 7, agent_status(AGENT_OK), $0) }
    #expect(await ended.result.status == agent_status(AGENT_OK))
    #expect(host.state.withLock { $0.logs } == ["2 events, 3 dropped", "closed"])
    #expect(host.state.withLock { $0.acknowledged } == [2])
    watcher.destroy()
  }

  @Test func `a refused query fails the work with the host's message`() async throws {
    let host = FakeHost()
    let watcher = try FakeInstance("watcher", of: fixtures, host: host)
    let ended = watcher.start()
    while host.subscriber == nil { await Task.yield() }
    let subscriber = try #require(host.subscriber)
    lent("Nobody asks that.") {
      subscriber.closed(subscriber.ctx, 7, agent_status(AGENT_INVALID_ARGUMENT), $0)
    }
    #expect(
      await ended.result
        == .init(status: agent_status(AGENT_INVALID_ARGUMENT), text: "Nobody asks that."))
    watcher.destroy()
  }

  @Test func `a stop ends a wait for events and ends the subscription`() async throws {
    let host = FakeHost()
    let watcher = try FakeInstance("watcher", of: fixtures, host: host)
    let ended = watcher.start()
    while host.subscriber == nil { await Task.yield() }
    #expect(await watcher.stop().result.status == agent_status(AGENT_OK))
    #expect(ended.results.map(\.status) == [agent_status(AGENT_OK)])
    #expect(host.state.withLock { $0.unsubscribed } == 1)
    watcher.destroy()
    let subscriber = try #require(host.subscriber)
    lent("") { subscriber.closed(subscriber.ctx, 7, agent_status(AGENT_OK), $0) }
  }
}
