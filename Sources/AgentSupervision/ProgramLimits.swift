/// What a program may use that ``ProgramRun`` runs.
public struct ProgramLimits: Sendable, Equatable {
  /// How long it may run: then it is killed, and counts as stopped. `nil`: as long as it likes.
  public var time: Duration?
  /// How many bytes of memory of its own it may have (`RLIMIT_DATA`). `nil`: as many as the host.
  public var memory: Int?

  /// Limits; none where nothing is given.
  public init(time: Duration? = nil, memory: Int? = nil) {
    (self.time, self.memory) = (time, memory)
  }
}
