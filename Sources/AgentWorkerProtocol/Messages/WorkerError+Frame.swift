extension WorkerError {
  /// Reads ERROR from a frame's body. An unknown code counts as `failed`.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("ERROR", body)
    let status = StatusCode(name: try reader.optionalString("code") ?? "") ?? .failed
    self.init(
      status == .ok ? .failed : status, try reader.optionalString("message") ?? "No reason given.",
      cause: try reader.optionalString("cause"))
  }

  /// ERROR as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.string("code", code.name)
    writer.string("message", message)
    writer.string("cause", cause)
    return writer.finish()
  }
}
