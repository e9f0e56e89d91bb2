public import AgentKit
internal import Synchronization

/// A host for unit tests. It records what a contribution logs and publishes, holds events for its
/// queries and subscriptions, and has a clock that the test moves.
///
/// ```swift
/// let host = TestHost(process: "trades")
/// let monitor = try TradeFrequency(settings: .init(limit: 3), host: host.host)
/// host.inject(Event("trade"), Event("trade"), Event("trade"))
/// let alerts = try await host.run(monitor, untilPublished: 1)
/// ```
public final class TestHost: Sendable {
  /// A log record.
  public struct Record: Sendable, Hashable {
    /// The record's level.
    public let level: LogLevel
    /// The record's message.
    public let message: String
  }

  /// The clock of this host.
  public let clock: TestClock
  /// The host to pass to the contribution under test.
  public let host: AgentHost

  let state: TestHostState

  /// Makes a host; `process` becomes the `source` of published events.
  public init(process: String = "test", clock: TestClock = TestClock()) {
    self.clock = clock
    self.state = TestHostState(process: process)
    self.host = AgentHost(Services(state: state, clock: clock))
  }

  /// The log records, oldest first.
  public var logs: [Record] { state.read { $0.logs } }

  /// The published events, oldest first.
  public var published: [Event] { state.read { $0.published } }

  /// How often the contribution called ``AgentHost/heartbeat()``.
  public var heartbeats: Int { state.read { $0.heartbeats } }

  /// How many events a contribution has processed, over all of its subscriptions.
  public var acknowledged: Int { state.read { $0.acknowledged } }

  /// Adds events as if another process had published them: queries find them, and subscriptions
  /// receive them. A missing timestamp is the clock's time.
  public func inject(_ events: Event...) {
    inject(events)
  }

  /// Adds events; see ``inject(_:)-(Event...)``.
  public func inject(_ events: [Event]) {
    state.add(events.map { $0.completed(now: clock.now, source: "test") }, published: false)
  }

  /// Makes publishing fail with this error from now on; with `nil` it works again.
  public func refusePublishing(with error: ModuleError?) {
    state.update { $0.refusal = error }
  }

  /// The contribution's state, for a test to prepare, to read, and to change while it runs. It
  /// lasts as long as this host: another contribution that is made with it finds the first one's
  /// state.
  public var kept: ProcessState { host.state }

  /// Makes every write of the state fail with this error from now on, as after a reload or on a
  /// full disk; with `nil` writes work again.
  public func refuseStateWrites(with error: ModuleError?) {
    state.update { $0.keepingRefusal = error }
  }

  /// Waits until at least `count` events have been published in all, and returns them.
  public func published(atLeast count: Int) async -> [Event] {
    await state.wait { $0.published.count >= count }
    return published
  }

  /// Waits until a contribution subscribes.
  public func subscribed() async {
    await state.wait { !$0.subscriptions.isEmpty }
  }
}

extension Event {
  func completed(now: Int64, source: String) -> Event {
    Event(type, timestamp: timestamp ?? now, source: self.source ?? source, fields: fields)
  }
}
