public import AgentKit
internal import Synchronization

/// A host for unit tests: keeps what a contribution logs and publishes, holds events that it can
/// query and subscribe to, and has a clock that the test moves.
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
    /// How much it matters.
    public let level: LogLevel
    /// What it says.
    public let message: String
  }

  /// The clock of this host.
  public let clock: TestClock
  /// What the contribution under test gets for its `host`.
  public let host: AgentHost

  let state: TestHostState

  /// Makes a host; `process` is the `source` that published events get.
  public init(process: String = "test", clock: TestClock = TestClock()) {
    self.clock = clock
    self.state = TestHostState(process: process)
    self.host = AgentHost(Services(state: state, clock: clock))
  }

  /// What was logged, oldest first.
  public var logs: [Record] { state.read { $0.logs } }

  /// What was published, oldest first.
  public var published: [Event] { state.read { $0.published } }

  /// How often the contribution said that it is alive.
  public var heartbeats: Int { state.read { $0.heartbeats } }

  /// How many events a contribution has dealt with, over all of its subscriptions.
  public var acknowledged: Int { state.read { $0.acknowledged } }

  /// Puts events into the host, as though another process had published them: queries find them,
  /// subscriptions get them. A missing timestamp is the clock's time.
  public func inject(_ events: Event...) {
    inject(events)
  }

  /// Puts events into the host; see ``inject(_:)-(Event...)``.
  public func inject(_ events: [Event]) {
    state.add(events.map { $0.completed(now: clock.now, source: "test") }, published: false)
  }

  /// Lets publishing fail with this error from now on; `nil` lets it work again.
  public func refusePublishing(with error: ModuleError?) {
    state.update { $0.refusal = error }
  }

  /// What the contribution keeps, for a test to prepare, to look at, and to change behind its back.
  /// It lasts as long as this host: another contribution that is made with it finds what the first
  /// one has left.
  public var kept: ProcessState { host.state }

  /// Lets every write of the state fail with this error from now on, as after a reload or on a full
  /// disk; `nil` lets it work again.
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
