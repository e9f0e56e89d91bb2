/// Limits of a program that ``ProgramRun`` runs.
public struct ProgramLimits: Sendable, Equatable {
  /// How long it may run; after that it is killed and counts as stopped. No limit when `nil`.
  public var time: Duration?
  /// The size of its own memory in bytes (`RLIMIT_DATA`); the host's limit when `nil`.
  public var memory: Int?

  /// Limits; none where nothing is given.
  public init(time: Duration? = nil, memory: Int? = nil) {
    (self.time, self.memory) = (time, memory)
  }
}
