/// Splits a stream of bytes into frames, whatever pieces the bytes arrive in.
///
/// A length out of range is an error before any memory is allocated for it. After an error, the
/// stream can't be decoded any further, and the owner closes it.
public struct FrameDecoder: Sendable {
  private var buffer: [UInt8] = []
  private var position = 0

  /// Creates a decoder at the start of a stream.
  public init() {}

  /// The number of received bytes that don't form a whole frame yet.
  public var pending: Int {
    buffer.count - position
  }

  /// Adds received bytes.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    compact()
    buffer.append(contentsOf: bytes)
  }

  /// Adds received bytes.
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// The number of descriptors that may have arrived with an incomplete frame. It is 1 if the frame
  /// announces a descriptor, or its op hasn't arrived yet.
  public var announcedDescriptors: Int {
    guard pending > 4 else { return pending > 0 ? 1 : 0 }
    return buffer[position + 4] & Frame.descriptorFlag != 0 ? 1 : 0
  }

  /// Whether ``next()`` has a result: a whole frame, or the error of the next one.
  public var hasNext: Bool {
    guard pending >= 4 else { return false }
    let length = Int(word(at: position))
    return length > Frame.maximumLength || pending >= 4 + length
  }

  /// Returns the next whole frame, or `nil` until more bytes arrive.
  public mutating func next() throws(WorkerProtocolError) -> Frame? {
    guard pending >= 4 else { return nil }
    let length = Int(word(at: position))
    guard (Frame.minimumLength...Frame.maximumLength).contains(length) else {
      throw .frameLength(length)
    }
    guard pending >= 4 + length else { return nil }
    let code = buffer[position + 4]
    let start = position + FrameEncoder.headerLength
    let end = position + 4 + length
    let frame = Frame(
      code: code & ~Frame.descriptorFlag, id: word(at: position + 5),
      body: Array(buffer[start..<end]), descriptor: code & Frame.descriptorFlag != 0)
    position = end
    release()
    return frame
  }

  private func word(at offset: Int) -> UInt32 {
    buffer.withUnsafeBytes {
      UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }

  /// Frees the memory of an idle connection. Hundreds of them are open at the same time.
  private mutating func release() {
    guard position == buffer.count else { return }
    position = 0
    buffer = []
  }

  private mutating func compact() {
    guard position > 0 else { return }
    buffer.removeSubrange(..<position)
    position = 0
  }
}
