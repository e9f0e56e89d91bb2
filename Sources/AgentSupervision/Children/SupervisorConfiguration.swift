/// The configuration of a ``Supervisor``.
public struct SupervisorConfiguration: Sendable {
  /// The file that lists the running processes (`.agent/workers`); `nil`: none is kept.
  public var ledger: String?
  /// How many warm spares are kept for each spare key.
  public var sparesPerKey: Int
  /// How often limits are sampled.
  public var sampleInterval: Duration
  /// How often orphans are searched for, besides after each exit.
  public var sweepInterval: Duration
  public var output: OutputLimits
  /// Whether this process becomes the parent of orphans and kills them. Turn it off where it starts
  /// processes that ``KnownChildren`` doesn't know of.
  public var killsOrphans: Bool
  /// Whether the host itself lacks what children need, such as a database that takes writes: a child
  /// that ends meanwhile is started again for as long as that lasts, and its ends don't count towards
  /// FAILED. Called on the loop's thread; must not wait. ``Supervisor/endHindrance()`` says that it is
  /// over.
  public var isHindered: @Sendable () -> Bool
  /// The jitter of restarts, uniform in 0..<1.
  public var random: @Sendable () -> Double

  /// A configuration with defaults for what isn't given.
  public init(
    ledger: String? = nil, sparesPerKey: Int = 1, sampleInterval: Duration = .seconds(1),
    sweepInterval: Duration = .seconds(5), output: OutputLimits = .init(),
    killsOrphans: Bool = true, isHindered: @escaping @Sendable () -> Bool = { false },
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.ledger = ledger
    self.sparesPerKey = sparesPerKey
    self.sampleInterval = sampleInterval
    self.sweepInterval = sweepInterval
    self.output = output
    self.killsOrphans = killsOrphans
    self.isHindered = isHindered
    self.random = random
  }
}
