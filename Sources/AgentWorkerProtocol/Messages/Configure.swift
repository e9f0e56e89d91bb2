/// CONFIGURE: creates a contribution with its settings.
public struct Configure: Sendable, Equatable {
  /// The contribution.
  public var contribution: ContributionName
  /// The process's name in the settings, or `module:NAME` for a service worker.
  public var process: String
  /// The settings as a JSON object, which matches the manifest's schema.
  public var settings: [UInt8]
  /// The offered services, such as `events/1`.
  public var extensions: [String]

  /// Creates the message.
  public init(
    contribution: ContributionName, process: String, settings: [UInt8],
    extensions: [String] = ["events/1", "liveness/1"]
  ) {
    self.contribution = contribution
    self.process = process
    self.settings = settings
    self.extensions = extensions
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("CONFIGURE", body)
    self.init(
      contribution: try ContributionName(reader), process: try reader.string("process"),
      settings: try reader.raw("settings"), extensions: try reader.strings("extensions"))
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    contribution.write(to: &writer)
    writer.string("process", process)
    writer.raw("settings", settings)
    writer.strings("extensions", extensions)
    return writer.finish()
  }
}
