/// The configuration of a ``Supervisor``.
public struct SupervisorConfiguration: Sendable {
  /// The file that lists the running processes (`.agent/workers`). `nil` means that none is
  /// written.
  public var records: String?
  /// The number of warm spares for each spare key.
  public var sparesPerKey: Int
  /// The time between two samples of limits.
  public var sampleInterval: Duration
  /// The time between two sweeps for orphans. A sweep also follows each exit.
  public var sweepInterval: Duration
  public var output: OutputLimits
  /// The time that a channel has at most to read what an ended process left in its socket. During
  /// a shutdown it has a tenth of it.
  public var drainLimit: Duration
  /// Whether this process becomes the parent of orphans and kills them. It must be false if the
  /// process starts processes that ``KnownChildren`` doesn't know.
  public var killsOrphans: Bool
  /// Whether the host itself lacks what children need, such as a writable database. A child that
  /// ends at such a time is restarted as long as the problem lasts, and its exits don't count
  /// towards FAILED. ``Supervisor/endHindrance()`` reports the end of the problem. Called on the
  /// loop's thread. It must not block.
  public var isHindered: @Sendable () -> Bool
  /// The jitter of restarts, uniform in 0..<1.
  public var random: @Sendable () -> Double

  public init(
    records: String? = nil, sparesPerKey: Int = 1, sampleInterval: Duration = .seconds(1),
    sweepInterval: Duration = .seconds(5), output: OutputLimits = .init(),
    drainLimit: Duration = .seconds(10), killsOrphans: Bool = true,
    isHindered: @escaping @Sendable () -> Bool = { false },
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.records = records
    self.sparesPerKey = sparesPerKey
    self.sampleInterval = sampleInterval
    self.sweepInterval = sweepInterval
    self.output = output
    self.drainLimit = drainLimit
    self.killsOrphans = killsOrphans
    self.isHindered = isHindered
    self.random = random
  }
}
