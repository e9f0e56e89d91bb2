internal import AgentSystem
package import AgentWorkerProtocol
internal import CDescriptors
internal import Glibc

/// The host's end of one worker's socket: it turns bytes into frames and frames into bytes. It
/// never blocks and has no thread. The owner calls it, under its own lock, when the loop says that
/// the socket is ready.
package struct WorkerSocket {
  /// Why nothing more can be sent or received.
  package enum Failure: Error, Equatable {
    /// The stream has ended or is broken.
    case closed
    /// The worker sent what isn't a frame, or doesn't read what it is sent.
    case breach(String)
  }

  /// A frame that has arrived.
  package enum Arrival {
    case frame(Frame)
    /// One whose body is long, and wasn't read yet.
    case unread(Frame, DescriptorBody)
    /// One whose body is too long to be looked at.
    case excessive(ExcessiveFrame)
  }

  /// Bytes taken at a time.
  private static let readSize = 16 << 10
  /// The most bytes of bodies in descriptors that have left and weren't read yet: the kernel holds
  /// them, and counts them to nobody's limit.
  static let maxInFlight = 64 << 20
  /// Above this many waiting bytes events are kept back, so that they don't fill the queue.
  static let congestion = 1 << 20

  private let descriptor: Int32
  private var decoder = FrameDecoder()
  private var outbound = OutboundQueue()
  /// Descriptors that arrived and whose frames haven't been read yet, in order.
  private var received: [Int32] = []
  /// Bytes of bodies in descriptors that have left since the worker was last seen to have read all.
  private var inFlight = 0
  /// Whether something waits until the worker has read what is in flight.
  private(set) var isHeld = false

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether bytes wait for the socket to take them.
  package var wantsToWrite: Bool { !outbound.isEmpty && !isHeld }
  /// Whether so much waits to be sent that events wait elsewhere.
  var isCongested: Bool { outbound.count + outbound.descriptorBytes > Self.congestion }

  /// The bytes of frames that didn't arrive as a whole.
  var inboundBytes: Int { decoder.pending }
  /// The bytes that wait to be sent, and those in flight.
  var outboundBytes: Int { outbound.count + outbound.descriptorBytes + inFlight }
  /// How many descriptors of the worker's are held.
  var descriptors: Int { received.count }

  // MARK: Sending

  /// Whether a body of `size` bytes can be queued.
  func hasSpace(forBody size: Int) -> Bool {
    size <= Frame.maxInlineBody || outbound.hasSpace(forDescriptorBody: size)
  }

  /// Queues a frame and sends what the socket takes.
  package mutating func send(_ frame: Frame) throws(Failure) {
    try enqueue(frame)
    try flush()
  }

  /// Queues a frame; a large body goes into a sealed memfd.
  mutating func enqueue(_ frame: Frame) throws(Failure) {
    var accepted = hasSpace(forBody: frame.body.count)
    if accepted, frame.body.count > Frame.maxInlineBody {
      let file = frame.body.withUnsafeBytes { descriptors_seal($0.baseAddress, $0.count) }
      guard file >= 0 else {
        throw .breach("A body of \(frame.body.count) bytes could not be put into memory.")
      }
      let announced = Frame(
        code: frame.code, id: frame.id, body: Array("{\"bytes\":\(frame.body.count)}".utf8),
        descriptor: true)
      accepted = outbound.enqueue(announced, descriptor: file, bodySize: frame.body.count)
      if !accepted { close(file) }
    } else if accepted {
      accepted = outbound.enqueue(frame)
    }
    if !accepted {
      throw .breach("It doesn't read what it is sent: \(outboundBytes) bytes wait.")
    }
  }

  /// Sends as much as the socket takes now.
  package mutating func flush() throws(Failure) {
    isHeld = false
    while true {
      // Only what goes as a descriptor is counted: the kernel itself bounds what a socket holds
      // of other bytes.
      let size = outbound.nextDescriptorSize
      if size > 0, !mayLeave(size) {
        isHeld = true
        return
      }
      let socket = descriptor
      let result = outbound.withNextChunk { bytes, file in
        (descriptors_send(socket, bytes.baseAddress, bytes.count, file ?? -1), errno)
      }
      guard let (count, error) = result else { return }
      if count < 0 {
        if error == EINTR { continue }
        if error == EAGAIN || error == EWOULDBLOCK { return }
        // Nobody will read it: waiting for space to send it would never end.
        for file in outbound.removeAll() { close(file) }
        if error == EPIPE || error == ECONNRESET { throw .closed }
        // A worker that has lost answers must not go on as if it had got them.
        throw .breach("It can't be sent anything: \(SystemError.text(error)).")
      }
      if let sent = outbound.advance(by: count) {
        close(sent)
        inFlight += size
      }
    }
  }

  /// Whether one more body may be given to the kernel.
  private mutating func mayLeave(_ size: Int) -> Bool {
    if inFlight == 0 || size <= Self.maxInFlight - inFlight { return true }
    // An error counts as read: the next send meets it too.
    guard descriptors_unread(descriptor) <= 0 else { return false }
    inFlight = 0
    return true
  }

  /// Tells the worker that nothing more comes; what it still has to say is read.
  func end() { shutdown(descriptor, Int32(clamping: SHUT_WR)) }

  // MARK: Receiving

  /// Reads once: how many bytes came, 0 when there are none now; `.closed` at the end of the
  /// stream.
  package mutating func read() throws(Failure) -> Int {
    let socket = descriptor
    // Out of this value while it is added to, so that the closure doesn't capture all of it.
    var decoder = decoder
    self.decoder = FrameDecoder()
    let came = withUnsafeTemporaryAllocation(
      byteCount: Self.readSize, alignment: 16
    ) { buffer in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(DESCRIPTORS_MOST)) { files in
        var fileCount: Int32 = 0
        let count = descriptors_receive(
          socket, buffer.baseAddress, buffer.count, files.baseAddress, &fileCount)
        let error = errno
        if count > 0 {
          decoder.append(
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
        }
        return (count: count, error: error, files: Array(files.prefix(Int(fileCount))))
      }
    }
    self.decoder = decoder
    received += came.files
    if came.count > 0 { return came.count }
    if came.count == 0 { throw .closed }
    if came.error == EINTR { return try read() }
    if came.error == EAGAIN || came.error == EWOULDBLOCK { return 0 }
    throw .closed
  }

  /// The next frame of those that were read; nil when none is whole.
  ///
  /// Rationale: one at a time, since a body may have megabytes and its frame forty bytes.
  /// - Parameter readsUpTo: the longest body in a descriptor that is read now, in bytes.
  package mutating func next(
    _ bounds: FrameBounds, readsUpTo: Int = .max
  ) throws(Failure) -> Arrival? {
    let frame: Frame?
    do {
      frame = try decoder.next()
    } catch {
      throw .breach(error.description)
    }
    guard let frame else {
      // Or a worker could fill the host's table of descriptors with ones that no frame needs.
      guard received.count <= decoder.announcedDescriptors else {
        throw .breach("A descriptor came that no frame announces.")
      }
      return nil
    }
    // Before the body is read: what is too long costs no memory.
    let bound = bounds.maxBody(of: frame.code)
    if frame.descriptor { return try resolved(frame, bound: bound, readsUpTo: readsUpTo) }
    return frame.body.count <= bound
      ? .frame(frame) : .excessive(.init(frame, size: frame.body.count, bound: bound))
  }

  /// A frame with the body that came as a memfd.
  private mutating func resolved(
    _ frame: Frame, bound: Int, readsUpTo: Int
  ) throws(Failure) -> Arrival {
    guard !received.isEmpty else {
      throw .breach("A frame announced a descriptor that didn't come with it.")
    }
    let file = received.removeFirst()
    // Sealed, or the worker could change or shorten the body while the host reads it.
    let size = descriptors_sealed_size(file, Frame.maxDescriptorBody)
    let body = DescriptorBody(file, size: size)
    guard size >= 0 else {
      throw .breach("A descriptor beside a frame is larger than allowed, or isn't sealed.")
    }
    guard size <= bound else { return .excessive(.init(frame, size: size, bound: bound)) }
    guard size > 0 else { return .frame(frame.resolving([])) }
    guard size <= readsUpTo else { return .unread(frame, body) }
    return .frame(frame.resolving(try body.read()))
  }

  /// Closes the descriptors that are still held; the socket itself is the supervisor's.
  package mutating func release() {
    for file in received + outbound.removeAll() { close(file) }
    received = []
  }
}

extension ExcessiveFrame {
  init(_ frame: Frame, size: Int, bound: Int) {
    self.init(code: frame.code, id: frame.id, size: size, bound: bound)
  }
}
