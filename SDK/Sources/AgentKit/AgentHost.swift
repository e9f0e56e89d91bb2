/// The host as a contribution sees it: a log, a clock, events, state, tasks, bots, metrics. Valid from `init` until the
/// contribution is destroyed; what is asked of it afterwards fails or does nothing.
///
/// It is not called `Host` because Foundation has a type of that name.
public struct AgentHost: Sendable {
  private let services: any HostServices

  /// Publish events, subscribe to queries, ask for recent events.
  public let events: Events

  /// What the process keeps over restarts.
  public let state: ProcessState

  /// Queue tasks, look at them, give them to bots.
  public let tasks: TaskClient

  /// Be a bot, look at bots, choose by what it is decided who gets a task.
  public let bots: BotClient

  /// Counts, gauges and histograms of what the contribution does.
  public let metrics: Metrics

  /// How the parts of the contribution do.
  public let health: Health

  /// Makes a host from what stands behind it; tests use `TestHost` instead.
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

  /// Waits. Throws `CancellationError` as soon as the host asks for the end. A test's clock decides
  /// how long it takes, so prefer this to `Task.sleep`.
  public func sleep(for duration: Duration) async throws {
    try await services.sleep(for: duration)
  }

  /// Tells the supervisor that a long computation is at work and not stuck. Cheap; call it every
  /// second or so while you keep a thread busy.
  public func heartbeat() {
    services.heartbeat()
  }
}
