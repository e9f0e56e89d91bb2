/// The limits of a worker. Nil means no limit.
public struct WorkerLimits: Sendable, Hashable {
  /// The resident memory of the worker and its children, in bytes.
  public var memory: Int?
  /// The number of processors. 0.5 is half of one.
  public var cpu: Double?
  /// The number of open files.
  public var files: Int?
  /// The number of processes, including the worker.
  public var processes: Int?

  public init(
    memory: Int? = nil, cpu: Double? = nil, files: Int? = nil, processes: Int? = nil
  ) {
    self.memory = memory
    self.cpu = cpu
    self.files = files
    self.processes = processes
  }

  /// Returns these limits, with the values of `other` in place of nil.
  public func over(_ other: WorkerLimits) -> WorkerLimits {
    WorkerLimits(
      memory: memory ?? other.memory, cpu: cpu ?? other.cpu, files: files ?? other.files,
      processes: processes ?? other.processes)
  }
}

/// How strict a worker's sandbox is.
public enum SandboxMode: String, Sendable, Hashable {
  /// All restrictions that the kernel supports.
  case `default`
  /// All restrictions. If the kernel lacks one, the worker doesn't start.
  case required
  /// No sandbox.
  case off
}
