/// HELLO: the first message of a worker.
public struct Hello: Sendable, Equatable {
  /// The versions of the protocol that the worker supports.
  public var protocols: ClosedRange<Int>
  /// The version of the module interface that it was built with.
  public var abi: Int
  /// The Swift toolchain that it was built with. Empty for a worker in another language.
  public var toolchain: String
  /// The worker's process id.
  public var pid: Int32

  /// Creates the message.
  public init(protocols: ClosedRange<Int>, abi: Int, toolchain: String, pid: Int32) {
    self.protocols = protocols
    self.abi = abi
    self.toolchain = toolchain
    self.pid = pid
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("HELLO", body)
    let versions = try reader.ints("protocol")
    guard versions.count == 2, let least = versions.first, let greatest = versions.last,
      least <= greatest
    else {
      throw .body("HELLO", "has a \"protocol\" that isn't [least, greatest]")
    }
    guard let pid = Int32(exactly: try reader.int("pid")) else {
      throw .body("HELLO", "has a \"pid\" that can't be one")
    }
    self.init(
      protocols: least...greatest, abi: try reader.int("abi"),
      toolchain: try reader.optionalString("toolchain") ?? "", pid: pid)
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.ints("protocol", [protocols.lowerBound, protocols.upperBound])
    writer.int("abi", abi)
    writer.string("toolchain", toolchain)
    writer.int("pid", Int(pid))
    return writer.finish()
  }
}
