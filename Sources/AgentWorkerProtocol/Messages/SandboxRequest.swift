/// LOAD's `sandbox`: the paths and permissions of a worker. The host has resolved the paths.
public struct SandboxRequest: Sendable, Equatable {
  /// The reaction if the kernel can't enforce everything.
  public enum Level: String, Sendable {
    /// Enforces as much as possible and reports the level.
    case `default`
    /// Refuses to load the module.
    case required
    /// Enforces nothing.
    case off
  }

  /// Whether the worker may open sockets of the internet families.
  public enum Network: String, Sendable {
    /// The worker may not. The host fetches for the module.
    case none
    /// The worker may.
    case any
  }

  public var level: Level
  /// The paths that may be read, with everything below them. Some further paths are always
  /// readable.
  public var read: [String]
  /// The paths that may be read, written and removed, with everything below them.
  public var write: [String]
  /// The paths that may be executed. Without any, forks are forbidden too.
  public var run: [String]
  /// Whether the worker may open sockets of the internet families.
  public var network: Network

  /// Creates the request.
  public init(
    level: Level = .default, read: [String] = [], write: [String] = [], run: [String] = [],
    network: Network = .none
  ) {
    self.level = level
    self.read = read
    self.write = write
    self.run = run
    self.network = network
  }

  init(_ reader: BodyReader) throws(WorkerProtocolError) {
    guard
      let level = Level(rawValue: try reader.optionalString("level") ?? "default"),
      let network = Network(rawValue: try reader.optionalString("network") ?? "none")
    else { throw .body("LOAD", "has a \"sandbox\" of an unknown level or network") }
    self.init(
      level: level, read: try reader.strings("read"), write: try reader.strings("write"),
      run: try reader.strings("run"), network: network)
  }

  var writer: BodyWriter {
    var writer = BodyWriter()
    writer.string("level", level.rawValue)
    writer.strings("read", read)
    writer.strings("write", write)
    writer.strings("run", run)
    writer.string("network", network.rawValue)
    return writer
  }
}
