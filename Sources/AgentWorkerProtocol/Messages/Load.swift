/// LOAD: the module to load, and the worker's restrictions.
public struct Load: Sendable, Equatable {
  /// The version of the protocol for all further frames.
  public var protocolVersion: Int
  /// The module's name.
  public var module: String
  /// The module's version in its manifest.
  public var version: String
  /// The absolute path of the module's folder.
  public var directory: String
  /// The absolute path of the library. `nil` for a module of functions only, or a command.
  public var library: String?
  /// The library's path in the module, for messages. `nil` if `library` isn't a copy.
  public var origin: String?
  /// The manifest's `functions`, unchanged.
  public var functions: [UInt8]?
  /// The sandbox to enter. `nil` if the worker is in its sandbox already.
  public var sandbox: SandboxRequest?
  /// The limits that the kernel enforces.
  public var limits: ResourceLimits?
  /// The host's version.
  public var hostVersion: String

  /// Creates the message.
  public init(
    protocolVersion: Int = 1, module: String, version: String, directory: String,
    library: String? = nil, origin: String? = nil, functions: [UInt8]? = nil,
    sandbox: SandboxRequest? = nil, limits: ResourceLimits? = nil, hostVersion: String
  ) {
    self.protocolVersion = protocolVersion
    self.module = module
    self.version = version
    self.directory = directory
    self.library = library
    self.origin = origin
    self.functions = functions
    self.sandbox = sandbox
    self.limits = limits
    self.hostVersion = hostVersion
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("LOAD", body)
    self.init(
      protocolVersion: try reader.int("protocol"), module: try reader.string("module"),
      version: try reader.string("version"), directory: try reader.string("directory"),
      library: try reader.optionalString("library"), origin: try reader.optionalString("origin"),
      functions: reader.optionalRaw("functions"),
      sandbox: try reader.object("sandbox").map(SandboxRequest.init),
      limits: try reader.object("limits").map(ResourceLimits.init),
      hostVersion: try reader.object("host")?.optionalString("version") ?? "")
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var host = BodyWriter()
    host.string("version", hostVersion)
    var writer = BodyWriter()
    writer.int("protocol", protocolVersion)
    writer.string("module", module)
    writer.string("version", version)
    writer.string("directory", directory)
    writer.string("library", library)
    writer.string("origin", origin)
    writer.raw("functions", functions)
    writer.object("sandbox", sandbox?.writer)
    writer.object("limits", limits?.writer)
    writer.object("host", host)
    return writer.finish()
  }
}
