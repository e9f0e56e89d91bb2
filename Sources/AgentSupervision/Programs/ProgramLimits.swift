/// The limits of a program of ``ProgramRun``.
public struct ProgramLimits: Sendable, Equatable {
  /// The longest run. After it the program is killed and counts as stopped. `nil` means no limit.
  public var time: Duration?
  /// The size of the program's own memory in bytes (`RLIMIT_DATA`). `nil` means the host's limit.
  public var memory: Int?
  /// The most bytes that the program may write to its descriptors together. After more it is killed
  /// and counts as stopped. `nil` means no limit.
  public var output: Int?

  public init(time: Duration? = nil, memory: Int? = nil, output: Int? = nil) {
    (self.time, self.memory) = (time, memory)
    self.output = output
  }
}
