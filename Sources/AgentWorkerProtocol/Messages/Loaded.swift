/// LOADED: the module's description of itself, which the host compares with its manifest.
public struct Loaded: Sendable, Equatable {
  /// The level of the sandbox that the kernel supports.
  public enum SandboxReached: String, Sendable {
    case full, partial, none
  }

  /// The version of the module interface that the library was built with.
  public var abi: Int
  /// The module's name in the library.
  public var name: String
  /// The module's version in the library.
  public var version: String
  public var contributions: [ContributionName]
  /// The level of the sandbox that the kernel supports.
  public var sandbox: SandboxReached
  /// The parts of the sandbox that are missing, for people.
  public var sandboxDetail: String?

  /// Creates the message.
  public init(
    abi: Int, name: String, version: String, contributions: [ContributionName],
    sandbox: SandboxReached = .none, sandboxDetail: String? = nil
  ) {
    self.abi = abi
    self.name = name
    self.version = version
    self.contributions = contributions
    self.sandbox = sandbox
    self.sandboxDetail = sandboxDetail
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("LOADED", body)
    self.init(
      abi: try reader.int("abi"), name: try reader.string("name"),
      version: try reader.string("version"), contributions: try ContributionName.list(reader),
      sandbox: SandboxReached(rawValue: try reader.optionalString("sandbox") ?? "") ?? .none,
      sandboxDetail: try reader.optionalString("sandbox_detail"))
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.int("abi", abi)
    writer.string("name", name)
    writer.string("version", version)
    writer.objects("contributions", contributions.map(\.writer))
    writer.string("sandbox", sandbox.rawValue)
    writer.string("sandbox_detail", sandboxDetail)
    return writer.finish()
  }
}
