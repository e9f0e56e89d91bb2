/// Limits that the kernel enforces on the worker: LOAD's `limits`. Absent means inherited.
public struct ResourceLimits: Sendable, Equatable {
  /// Bytes of data segments and private mappings (`RLIMIT_DATA`).
  public var memory: Int?
  /// Open descriptors (`RLIMIT_NOFILE`).
  public var files: Int?
  /// Seconds of processor time (`RLIMIT_CPU`).
  public var cpu: Int?

  /// Makes the message.
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
