/// LOAD's `sandbox`: the paths and rights of a worker, already resolved by the host.
public struct SandboxRequest: Sendable, Equatable {
  /// How to proceed when the kernel can't enforce everything.
  public enum Level: String, Sendable {
    /// Enforce as much as possible, and report how much that was.
    case `default`
    /// Refuse to load the module.
    case required
    /// Do nothing.
    case off
  }

  /// Whether sockets of the internet families may be opened.
  public enum Network: String, Sendable {
    /// They may not: the module asks the host to fetch for it.
    case none
    /// They may.
    case any
  }

  public var level: Level
  /// Paths that may be read, with everything beneath them, in addition to those that always may.
  public var read: [String]
  /// Paths that may be read, written and removed, with everything beneath them.
  public var write: [String]
  /// Paths that may be executed; empty also forbids to fork.
  public var run: [String]
  /// Whether sockets of the internet families may be opened.
  public var network: Network

  /// Makes the message.
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
