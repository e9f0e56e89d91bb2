/// ENDED: a contribution has ended without a STOP.
public struct Ended: Sendable, Equatable {
  /// The contribution.
  public var contribution: ContributionName
  /// The status at its end.
  public var status: StatusCode
  /// A sentence for people.
  public var message: String?

  /// Creates the message.
  public init(contribution: ContributionName, status: StatusCode, message: String? = nil) {
    self.contribution = contribution
    self.status = status
    self.message = message
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("ENDED", body)
    self.init(
      contribution: try ContributionName(reader),
      status: StatusCode(name: try reader.string("status")) ?? .failed,
      message: try reader.optionalString("message"))
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    contribution.write(to: &writer)
    writer.string("status", status.name)
    writer.string("message", message)
    return writer.finish()
  }
}
