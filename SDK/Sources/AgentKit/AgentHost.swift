/// The host as a contribution sees it: a log, a clock, events, state, tasks, bots, metrics. Valid
/// from `init` until the contribution is destroyed; later calls fail or do nothing.
///
/// It is not called `Host` because Foundation has a type of that name.
public struct AgentHost: Sendable {
  private let services: any HostServices

  /// Publishes events, subscribes to queries, and finds recent events.
  public let events: Events

  /// State of the process that survives restarts.
  public let state: ProcessState

  /// Queues tasks, finds them, and assigns them to bots.
  public let tasks: TaskClient

  /// Registers bots, finds them, and chooses the assignment strategy.
  public let bots: BotClient

  /// Counters, gauges and histograms of the contribution.
  public let metrics: Metrics

  /// The health of the contribution's components.
  public let health: Health

  /// Makes a host from the services behind it. Tests use `TestHost` instead.
  public init(_ services: any HostServices) {
    self.services = services
    self.events = Events(services: services)
    self.state = ProcessState(services: services)
    self.tasks = TaskClient(service: TaskCalls(services: services))
    self.bots = BotClient(service: TaskCalls(services: services))
    let recorder = MetricsRecorder(services: services)
    self.metrics = Metrics(recorder: recorder)
    self.health = Health(recorder: recorder)
  }

  /// Writes a log record under the name of this process. Never blocks; any thread. Records that an
  /// action writes during a task are also in that task's log. This includes child tasks, not
  /// detached ones.
  public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    services.log(level, message())
  }

  /// Writes a log record of the level `info`.
  public func log(_ message: @autoclosure () -> String) {
    services.log(.info, message())
  }

  /// Unix milliseconds from the host's clock, which a test may set.
  public var now: Int64 { services.now() }

  /// Waits. Throws `CancellationError` as soon as the host asks the contribution to end. A test's
  /// clock controls how long this takes, so prefer it to `Task.sleep`.
  public func sleep(for duration: Duration) async throws {
    try await services.sleep(for: duration)
  }

  /// Tells the supervisor that a long computation is running and not stuck. Cheap: call it about
  /// once a second while you keep a thread busy.
  public func heartbeat() {
    services.heartbeat()
  }
}
