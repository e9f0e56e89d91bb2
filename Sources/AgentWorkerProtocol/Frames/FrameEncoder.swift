/// Encodes frames for the wire.
public enum FrameEncoder {
  /// The number of bytes before a body: length, op and id.
  public static let headerLength = 4 + Frame.minimumLength

  /// Appends a frame. The caller puts a body longer than `Frame.maxInlineBody` into a descriptor;
  /// see `OutboundQueue`.
  public static func append(_ frame: Frame, to bytes: inout [UInt8]) {
    let length = UInt32(clamping: Frame.minimumLength + frame.body.count)
    append(length, to: &bytes)
    bytes.append(frame.descriptor ? frame.code | Frame.descriptorFlag : frame.code)
    append(frame.id, to: &bytes)
    bytes.append(contentsOf: frame.body)
  }

  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
