/// `supervision`: when workers are restarted, and how long the host waits for them.
public struct SupervisionSettings: Sendable, Hashable {
  /// How long a worker must run to count as healthy, in seconds.
  public var healthyAfter = 10.0
  /// The number of exits without a healthy period within `within` that makes a process FAILED.
  public var maxRestarts = 5
  /// The period of `maxRestarts`, in seconds.
  public var within = 60.0
  public var backoff = Backoff()
  /// How often the host pings a worker.
  public var pingIntervalMs = 5_000
  /// How long a worker may leave a ping unanswered. Then it is replaced.
  public var pingTimeoutMs = 15_000
  /// The longest time from the start of a worker to READY.
  public var readyTimeoutMs = 15_000
  /// The time from STOP to SIGTERM.
  public var stopTimeoutMs = 5_000
  /// The time from SIGTERM to SIGKILL.
  public var killTimeoutMs = 1_000
  /// The deadline of a call that has none of its own.
  public var invokeTimeoutMs = 30_000
  /// The number of failed starts in a row after which the host starts in safe mode. A start fails
  /// if the host ends within a minute without a request to stop. 0 means that safe mode is off.
  public var safeModeAfter = 3

  /// The longest time that the host takes to stop, in milliseconds. Its workers have their own
  /// limits, and all other parts have half a minute. Then the host exits at once. Everything that
  /// was acknowledged is durable already.
  public var hostStopLimitMs: Int {
    let (sum, isOver) = stopTimeoutMs.addingReportingOverflow(killTimeoutMs)
    return isOver ? 86_400_000 : min(max(sum, 0), 2 * 86_400_000) + 30_000
  }

  /// A wait that doubles each time, with jitter.
  public struct Backoff: Sendable, Hashable {
    public var initialMs = 100
    public var maxMs = 60_000

    public init() {}
  }

  public init() {}
}
