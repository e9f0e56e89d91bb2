/// `supervision`: when workers are restarted and how long the host waits for them.
public struct SupervisionSettings: Sendable, Hashable {
  /// Seconds after which a worker counts as having been healthy.
  public var healthyAfter = 10.0
  /// This many exits without a healthy period within `within` make a process FAILED.
  public var maxRestarts = 5
  /// Seconds.
  public var within = 60.0
  /// The wait before a restart.
  public var backoff = Backoff()
  /// How often a worker is asked whether it is alive.
  public var pingIntervalMs = 5_000
  /// A worker that doesn't answer for this long is replaced.
  public var pingTimeoutMs = 15_000
  /// From the start of a worker to READY.
  public var readyTimeoutMs = 15_000
  /// From STOP to SIGTERM.
  public var stopTimeoutMs = 5_000
  /// From SIGTERM to SIGKILL.
  public var killTimeoutMs = 1_000
  /// For a call that brings no deadline of its own.
  public var invokeTimeoutMs = 30_000
  /// After this many starts in a row that ended within a minute without having been asked to, the
  /// host comes up in safe mode; 0: never.
  public var safeModeAfter = 3

  /// How long the host may take to end, in milliseconds: its workers have their time, and everything
  /// else half a minute. Then it ends as it is; nothing that was acknowledged is lost by that.
  public var hostStopLimitMs: Int {
    let (sum, isOver) = stopTimeoutMs.addingReportingOverflow(killTimeoutMs)
    return isOver ? 86_400_000 : min(max(sum, 0), 2 * 86_400_000) + 30_000
  }

  /// A wait that doubles each time, with jitter.
  public struct Backoff: Sendable, Hashable {
    /// The first wait.
    public var initialMs = 100
    /// The longest.
    public var maxMs = 60_000

    /// The defaults.
    public init() {}
  }

  /// The defaults.
  public init() {}
}
