/// The limits that the kernel enforces on the worker: LOAD's `limits`. An absent one is inherited.
public struct ResourceLimits: Sendable, Equatable {
  /// The size of data segments and private mappings in bytes (`RLIMIT_DATA`).
  public var memory: Int?
  /// The number of open descriptors (`RLIMIT_NOFILE`).
  public var files: Int?
  /// The seconds of processor time (`RLIMIT_CPU`).
  public var cpu: Int?

  /// Creates the limits.
  public init(memory: Int? = nil, files: Int? = nil, cpu: Int? = nil) {
    self.memory = memory
    self.files = files
    self.cpu = cpu
  }

  init(_ reader: BodyReader) throws(WorkerProtocolError) {
    self.init(
      memory: try reader.optionalInt("memory"), files: try reader.optionalInt("files"),
      cpu: try reader.optionalInt("cpu"))
  }

  var writer: BodyWriter {
    var writer = BodyWriter()
    writer.int("memory", memory)
    writer.int("files", files)
    writer.int("cpu", cpu)
    return writer
  }
}
