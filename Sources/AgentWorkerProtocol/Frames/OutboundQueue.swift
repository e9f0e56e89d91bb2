/// The bytes to send on one connection, in two bounded queues. Control frames are sent before data.
///
/// It doesn't send. The owner of the socket takes a chunk, writes the bytes that the socket accepts
/// without blocking, and reports their number. The position in a frame is kept, so that a control
/// frame overtakes waiting data but never lands inside a frame.
public struct OutboundQueue: Sendable {
  /// The queue that a frame waits in.
  public enum Priority: Sendable {
    /// Requests and answers, PING, STOP, CANCEL, CREDIT: sent first.
    case control
    /// PUBLISH, EVENT, LOG, ENDED: sent when no control frame waits.
    case data
  }

  /// Bytes to send. They are whole frames.
  private struct Chunk {
    var bytes: [UInt8]
    var descriptor: Int32?
    /// The size of the body in the descriptor, in bytes.
    var size = 0
  }

  /// Small frames share a chunk up to this size, so that many of them cost one `send`.
  static let chunkSize = 16 << 10

  private var control: [Chunk] = []
  private var data: [Chunk] = []
  private var current: Chunk?
  private var sent = 0
  private let limit: Int
  private let descriptorLimit: Int

  /// The number of waiting bytes, including the current chunk and excluding bodies in descriptors.
  public private(set) var count = 0
  /// The number of bytes of bodies that wait in descriptors.
  public private(set) var descriptorBytes = 0

  /// Creates an empty queue.
  /// - Parameters:
  ///   - limit: the largest number of bytes of each queue.
  ///   - descriptorLimit: the largest number of bytes of bodies in descriptors.
  public init(limit: Int = 8 << 20, descriptorLimit: Int = 64 << 20) {
    self.limit = limit
    self.descriptorLimit = descriptorLimit
  }

  /// Whether no bytes wait.
  public var isEmpty: Bool {
    count == 0
  }

  /// Adds a frame to the queue of its kind. Returns false, and adds nothing, if the queue is full
  /// because the other side isn't reading.
  /// - Parameter descriptor: a descriptor with a body of `bodySize` bytes, which is sent with the
  ///   frame's first byte. `advance` returns it for closing. If this call returns false, the caller
  ///   still owns it.
  public mutating func enqueue(
    _ frame: Frame, descriptor: Int32? = nil, bodySize: Int = 0
  ) -> Bool {
    enqueue(
      frame, priority: frame.isData ? .data : .control, descriptor: descriptor, bodySize: bodySize)
  }

  /// Returns whether a body of `size` bytes may be sent in a descriptor. One body is always
  /// accepted, whatever its size.
  public func hasSpace(forDescriptorBody size: Int) -> Bool {
    descriptorBytes == 0 || size <= descriptorLimit - min(descriptorBytes, descriptorLimit)
  }

  /// Returns whether a frame with an inline body of `size` bytes fits into the queue's limit, which
  /// the control queue may exceed. One frame is always accepted.
  public func hasSpace(forInlineBody size: Int) -> Bool {
    isEmpty || size <= limit - min(limit, count + FrameEncoder.headerLength)
  }

  /// The size of the body in the descriptor that is sent next, or 0 if the next bytes have none.
  public var nextDescriptorSize: Int {
    guard sent == 0 else { return 0 }
    return (current ?? control.first ?? data.first)?.size ?? 0
  }

  /// Adds a frame to a queue.
  public mutating func enqueue(
    _ frame: Frame, priority: Priority, descriptor: Int32? = nil, bodySize: Int = 0
  ) -> Bool {
    let size = FrameEncoder.headerLength + frame.body.count
    guard bodySize == 0 || hasSpace(forDescriptorBody: bodySize) else { return false }
    // The control queue may grow to twice the limit: data never keeps an answer from being queued.
    guard count + size <= (priority == .control ? 2 * limit : limit) || isEmpty else {
      return false
    }
    switch priority {
    case .control: Self.append(frame, descriptor: descriptor, size: bodySize, to: &control)
    case .data: Self.append(frame, descriptor: descriptor, size: bodySize, to: &data)
    }
    count += size
    descriptorBytes += bodySize
    return true
  }

  /// Calls `body` with the next bytes to send, and with the descriptor that belongs to their first
  /// byte. Returns `nil` if no bytes wait. The caller reports the sent bytes by `advance`.
  public mutating func withNextChunk<Result>(
    _ body: (UnsafeRawBufferPointer, Int32?) -> Result
  ) -> Result? {
    if current == nil { current = takeNext() }
    // The descriptor goes with the first byte only. A second copy would reach the other side as
    // another one.
    guard let chunk = current else { return nil }
    let descriptor = sent == 0 ? chunk.descriptor : nil
    return chunk.bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[sent...]), descriptor)
    }
  }

  /// Records that `count` bytes of the chunk were sent. Returns the descriptor that was sent with
  /// them, for closing.
  public mutating func advance(by count: Int) -> Int32? {
    guard count > 0, let chunk = current else { return nil }
    let left = min(count, chunk.bytes.count - sent)
    let descriptor = sent == 0 ? chunk.descriptor : nil
    if sent == 0 { descriptorBytes -= chunk.size }
    sent += left
    self.count -= left
    if sent == chunk.bytes.count {
      current = nil
      sent = 0
    }
    return descriptor
  }

  /// Removes everything and returns the descriptors to close.
  public mutating func removeAll() -> [Int32] {
    let unsent = sent == 0 ? current?.descriptor : nil
    let descriptors = [unsent].compactMap { $0 } + (control + data).compactMap(\.descriptor)
    self = OutboundQueue(limit: limit, descriptorLimit: descriptorLimit)
    return descriptors
  }

  private mutating func takeNext() -> Chunk? {
    control.isEmpty ? Self.takeFirst(of: &data) : Self.takeFirst(of: &control)
  }

  /// An empty array keeps no memory. This matters because hundreds of connections are open at the
  /// same time.
  private static func takeFirst(of priority: inout [Chunk]) -> Chunk? {
    guard let first = priority.first else { return nil }
    if priority.count == 1 { priority = [] } else { priority.removeFirst() }
    return first
  }

  private static func append(
    _ frame: Frame, descriptor: Int32?, size: Int, to priority: inout [Chunk]
  ) {
    // A frame with a descriptor needs a chunk of its own, because the descriptor belongs to its
    // first byte.
    if descriptor == nil, let last = priority.indices.last, priority[last].descriptor == nil,
      priority[last].bytes.count + frame.body.count < chunkSize
    {
      FrameEncoder.append(frame, to: &priority[last].bytes)
      return
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(FrameEncoder.headerLength + frame.body.count)
    FrameEncoder.append(frame, to: &bytes)
    priority.append(Chunk(bytes: bytes, descriptor: descriptor, size: size))
  }
}
