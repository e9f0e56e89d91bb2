/// When an ended process is started again.
public struct RestartPolicy: Sendable, Equatable {
  /// Which ends are followed by a start.
  public var mode: RestartMode
  /// How many exits are followed by a restart: exits without a healthy period within
  /// `intensityPeriod`, and consecutive exits before READY over any time. One more exit is FAILED.
  public var intensity: Int
  /// The period over which `intensity` counts.
  public var intensityPeriod: Duration
  /// How long a child must have been ready for its exit not to count.
  public var healthyAfter: Duration
  /// The shortest and the longest pause before a start.
  public var backOff: ClosedRange<Duration>

  /// A policy with defaults for what isn't given.
  public init(
    mode: RestartMode = .permanent, intensity: Int = 5,
    intensityPeriod: Duration = .seconds(60), healthyAfter: Duration = .seconds(10),
    backOff: ClosedRange<Duration> = .milliseconds(100) ... .seconds(60)
  ) {
    self.mode = mode
    self.intensity = intensity
    self.intensityPeriod = intensityPeriod
    self.healthyAfter = healthyAfter
    self.backOff = backOff
  }
}

/// Which ends of a child are followed by a start; the words are Erlang's.
public enum RestartMode: String, Sendable, Equatable, CaseIterable {
  /// Always.
  case permanent
  /// After an end that wasn't in order.
  case transient
  /// Never.
  case temporary
}
