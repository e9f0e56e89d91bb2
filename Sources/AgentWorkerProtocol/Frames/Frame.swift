/// One message between host and worker: `u32 length | u8 op | u32 id | body`.
public struct Frame: Sendable, Equatable {
  /// The length that precedes a frame counts at least these: op and id.
  public static let minimumLength = 5
  /// The greatest length that a frame may have on the wire.
  public static let maximumLength = 16 << 20
  /// A body of more bytes than this travels as a sealed memfd.
  public static let maxInlineBody = 1 << 20
  /// The greatest body that may travel as a memfd.
  public static let maxDescriptorBody = 256 << 20
  /// The bit of the op byte that says a descriptor travels beside the frame.
  static let descriptorFlag: UInt8 = 0x80

  /// The op as it was received, without the flag: a peer may be newer than this side.
  public var code: UInt8
  /// True while the body is `{"bytes": n}` and the real one waits in a descriptor.
  public var descriptor: Bool
  /// Chosen by the side that asks; 0 where nobody answers.
  public var id: UInt32
  /// UTF-8 JSON, or empty.
  public var body: [UInt8]

  /// Makes a frame of a known kind.
  public init(_ op: Op, id: UInt32 = 0, body: [UInt8] = [], descriptor: Bool = false) {
    self.init(code: op.rawValue, id: id, body: body, descriptor: descriptor)
  }

  /// Makes a frame of any kind, known or not.
  public init(code: UInt8, id: UInt32, body: [UInt8], descriptor: Bool) {
    self.code = code
    self.descriptor = descriptor
    self.id = id
    self.body = body
  }

  /// The kind; nil for one that this side doesn't know.
  public var op: Op? {
    Op(rawValue: code)
  }

  /// The frame's name in messages for people.
  public var name: String {
    op?.name ?? "op \(code)"
  }

  /// The same frame with the body that its descriptor held.
  public func resolving(_ body: [UInt8]) -> Frame {
    Frame(code: code, id: id, body: body, descriptor: false)
  }
}
