/// The rules for restarts.
public struct RestartPolicy: Sendable, Equatable {
  /// The exits that a restart follows.
  public var mode: RestartMode
  /// The number of exits that a restart follows: exits without a healthy period within
  /// `intensityPeriod`, and exits before READY in a row over any time. One more exit makes the
  /// child FAILED.
  public var intensity: Int
  /// The period of `intensity`.
  public var intensityPeriod: Duration
  /// How long a child must have been ready so that its exit doesn't count.
  public var healthyAfter: Duration
  /// The shortest and the longest pause before a restart.
  public var backOff: ClosedRange<Duration>

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

/// The exits that a restart follows. The words are Erlang's.
public enum RestartMode: String, Sendable, Equatable, CaseIterable {
  /// All exits.
  case permanent
  /// Exits that aren't a success.
  case transient
  /// No exit.
  case temporary
}
