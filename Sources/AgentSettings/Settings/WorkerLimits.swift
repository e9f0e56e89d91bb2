/// What a worker may use; nil means no limit of its own.
public struct WorkerLimits: Sendable, Hashable {
  /// Resident memory with children, in bytes.
  public var memory: Int?
  /// Processors: 0.5 is half of one.
  public var cpu: Double?
  /// Open files.
  public var files: Int?
  /// Processes, the worker included.
  public var processes: Int?

  /// No limit unless given.
  public init(
    memory: Int? = nil, cpu: Double? = nil, files: Int? = nil, processes: Int? = nil
  ) {
    self.memory = memory
    self.cpu = cpu
    self.files = files
    self.processes = processes
  }

  /// These, and where they say nothing, `other`.
  public func over(_ other: WorkerLimits) -> WorkerLimits {
    WorkerLimits(
      memory: memory ?? other.memory, cpu: cpu ?? other.cpu, files: files ?? other.files,
      processes: processes ?? other.processes)
  }
}

/// How much sandbox a worker gets.
public enum SandboxMode: String, Sendable, Hashable {
  /// As much as the kernel can.
  case `default`
  /// All of it, or the worker doesn't start.
  case required
  /// None.
  case off
}
