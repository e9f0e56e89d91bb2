/// One message between host and worker: `u32 length | u8 op | u32 id | body`.
public struct Frame: Sendable, Equatable {
  /// The smallest length of a frame on the wire: op and id.
  public static let minimumLength = 5
  /// The largest length of a frame on the wire.
  public static let maximumLength = 16 << 20
  /// The largest body that is sent inline. A longer one is sent in a sealed memfd.
  public static let maxInlineBody = 1 << 20
  /// The largest body that may be sent in a memfd.
  public static let maxDescriptorBody = 256 << 20
  /// The bit of the op byte that announces a descriptor with the frame.
  static let descriptorFlag: UInt8 = 0x80

  /// The op as it was received, without the flag. It may be unknown if the other side is newer.
  public var code: UInt8
  /// Whether the body is `{"bytes": n}` and the real one is in a descriptor.
  public var descriptor: Bool
  /// The id, which the requesting side chooses. 0 if the frame needs no answer.
  public var id: UInt32
  /// The body: JSON in UTF-8, or empty.
  public var body: [UInt8]
  /// Whether the frame waits in the data queue whatever its kind, because it must not overtake the
  /// data before it. It isn't sent.
  var followsData = false

  /// Creates a frame of a known kind.
  public init(_ op: Op, id: UInt32 = 0, body: [UInt8] = [], descriptor: Bool = false) {
    self.init(code: op.rawValue, id: id, body: body, descriptor: descriptor)
  }

  /// Creates a frame of any kind.
  public init(code: UInt8, id: UInt32, body: [UInt8], descriptor: Bool) {
    self.code = code
    self.descriptor = descriptor
    self.id = id
    self.body = body
  }

  /// The kind, or `nil` if this side doesn't know it.
  public var op: Op? {
    Op(rawValue: code)
  }

  /// The frame's name in messages for people.
  public var name: String {
    op?.name ?? "op \(code)"
  }

  /// Returns the frame with the body from its descriptor.
  public func resolving(_ body: [UInt8]) -> Frame {
    Frame(code: code, id: id, body: body, descriptor: false)
  }
}
