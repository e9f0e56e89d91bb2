internal import AgentSystem
package import AgentWorkerProtocol
internal import CDescriptors
internal import Glibc

/// The host's end of one worker's socket. It turns bytes into frames and frames into bytes. It
/// never blocks and has no thread. The owner calls it, under its own lock, when the loop reports
/// that the socket is ready.
package struct WorkerSocket {
  /// The reason why nothing more can be sent or received.
  package enum Failure: Error, Equatable {
    /// The stream has ended or is broken.
    case closed
    /// The worker sent something other than frames, or it doesn't read the host's frames, or a
    /// frame can't be sent. The text is the reason.
    case breach(String)
  }

  /// A frame that has arrived.
  package enum Arrival {
    case frame(Frame)
    /// A frame whose body is long and hasn't been read yet.
    case unread(Frame, DescriptorBody)
    /// A frame whose body is too long. The body isn't examined.
    case excessive(ExcessiveFrame)
  }

  /// The largest number of bytes of one read.
  private static let readSize = 16 << 10
  /// The limit of bodies in descriptors that were sent but that the worker hasn't read yet, in
  /// bytes. The kernel holds these bodies and counts them toward no limit of its own.
  static let maxInFlight = 64 << 20
  /// The number of waiting bytes above which no events are queued, so that they don't fill the
  /// queue.
  static let congestion = 1 << 20

  private let descriptor: Int32
  private var decoder = FrameDecoder()
  private var outbound = OutboundQueue()
  /// The received descriptors whose frames haven't been decoded yet, in their order.
  private var received: [Int32] = []
  /// The bytes of bodies in descriptors that were sent since the host last found that the worker
  /// had read everything.
  private var inFlight = 0
  /// Whether sending waits for something that the kernel doesn't report: until the worker has read
  /// the bodies in flight, or until a lack of the system has passed.
  private(set) var isHeld = false
  private var lack = SendingLack()
  private let transmit: Transmission

  /// Sends bytes, and a descriptor unless it is -1. Returns the number of bytes that were sent and
  /// the error, as ``descriptors_send``.
  typealias Transmission =
    @Sendable (Int32, UnsafeRawBufferPointer, Int32) -> (count: Int, error: Int32)

  package init(_ descriptor: Int32) {
    self.init(descriptor) { (descriptors_send($0, $1.baseAddress, $1.count, $2), errno) }
  }

  /// - Parameter transmit: sends. A test passes a function that fails.
  init(_ descriptor: Int32, transmit: @escaping Transmission) {
    (self.descriptor, self.transmit) = (descriptor, transmit)
  }

  /// Whether bytes wait until the socket accepts them.
  package var wantsToWrite: Bool { !outbound.isEmpty && !isHeld }
  /// Whether the bytes that wait to be sent exceed `congestion`. Then events stay in their
  /// subscriptions.
  var isCongested: Bool { outbound.count + outbound.descriptorBytes > Self.congestion }

  /// The number of received bytes that aren't decoded yet.
  var inboundBytes: Int { decoder.pending }
  /// The number of bytes that wait to be sent, plus those in flight.
  var outboundBytes: Int { outbound.count + outbound.descriptorBytes + inFlight }
  /// The number of the worker's descriptors that the host holds.
  var descriptors: Int { received.count }

  // MARK: Sending

  /// Returns whether the limit of bodies in descriptors allows a body of `size` bytes. A body that
  /// is sent inline is always allowed here.
  func hasSpace(forBody size: Int) -> Bool {
    size <= Frame.maxInlineBody || outbound.hasSpace(forDescriptorBody: size)
  }

  /// Returns whether a call with a body of `size` bytes may be queued.
  ///
  /// Calls occupy up to half of the queue for control frames. The other half is left for answers,
  /// PING and CANCEL, which have no caller that could be refused.
  func hasSpace(forCall size: Int) -> Bool {
    hasSpace(forBody: size)
      && outbound.hasSpace(forInlineBody: size <= Frame.maxInlineBody ? size : Self.announcement)
  }

  /// The largest body of a frame that announces a descriptor, in bytes.
  private static let announcement = 64

  /// Queues a frame and sends the bytes that the socket accepts.
  package mutating func send(_ frame: Frame) throws(Failure) {
    try enqueue(frame)
    try flush()
  }

  /// Queues a frame. A large body is put into a sealed memfd.
  /// - Throws: `.breach` if there is no space for the frame or the memfd can't be created.
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

  /// Sends the bytes that the socket accepts now.
  /// - Throws: `.closed` if the worker has closed the socket, `.breach` if another error occurs.
  package mutating func flush() throws(Failure) {
    isHeld = false
    while true {
      // Only bodies in descriptors are counted. The kernel itself limits the other bytes that a
      // socket holds.
      let size = outbound.nextDescriptorSize
      if size > 0, !mayLeave(size) {
        isHeld = true
        return
      }
      let (socket, transmit) = (descriptor, transmit)
      let result = outbound.withNextChunk { bytes, file in transmit(socket, bytes, file ?? -1) }
      guard let (count, error) = result else { return }
      if count < 0 {
        if error == EINTR { continue }
        if error == EAGAIN || error == EWOULDBLOCK { return }
        if descriptors_lacks(error) != 0, lack.occurred(at: .now) {
          isHeld = true
          return
        }
        // The worker won't read these bytes, so a wait for space in the socket would never end.
        for file in outbound.removeAll() { close(file) }
        if error == EPIPE || error == ECONNRESET { throw .closed }
        // The worker has lost answers, so it must not continue as if it had received them.
        throw .breach("It can't be sent anything: \(SystemError.text(error)).")
      }
      lack.passed()
      if let sent = outbound.advance(by: count) {
        close(sent)
        inFlight += size
      }
    }
  }

  /// Returns whether a body of `size` bytes may be sent now.
  private mutating func mayLeave(_ size: Int) -> Bool {
    if inFlight == 0 || size <= Self.maxInFlight - inFlight { return true }
    // After an error the body is sent, because the send then reports the error.
    guard descriptors_unread(descriptor) <= 0 else { return false }
    inFlight = 0
    return true
  }

  /// Ends the stream to the worker. The host still reads the frames that the worker sends.
  func end() { shutdown(descriptor, Int32(clamping: SHUT_WR)) }

  // MARK: Receiving

  /// Reads from the socket once. Returns the number of bytes that were read, or 0 if there are none
  /// now.
  /// - Throws: `.closed` at the end of the stream and after an error.
  package mutating func read() throws(Failure) -> Int {
    let socket = descriptor
    // The decoder is moved out of this value while bytes are appended, so that the closure doesn't
    // capture the whole value.
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

  /// Returns the next frame of the bytes that were read, or `nil` if no frame is complete.
  ///
  /// Rationale: one frame at a time, because a body may have megabytes while its frame has forty
  /// bytes.
  /// - Parameters:
  ///   - bounds: the largest bodies. A frame with a larger one is returned as `.excessive`.
  ///   - readsUpTo: the longest body in a descriptor that is read now, in bytes. A frame with a
  ///     longer one is returned as `.unread`.
  /// - Throws: `.breach` if the bytes aren't a frame, or the frames and the received descriptors
  ///   don't agree.
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
      // Otherwise a worker could fill the host's table of descriptors with descriptors that no
      // frame needs.
      guard received.count <= decoder.announcedDescriptors else {
        throw .breach("A descriptor came that no frame announces.")
      }
      return nil
    }
    // Checked before the body is read, so that a body that is too long occupies no memory.
    let bound = bounds.maxBody(of: frame.code)
    if frame.descriptor { return try resolved(frame, bound: bound, readsUpTo: readsUpTo) }
    return frame.body.count <= bound
      ? .frame(frame) : .excessive(.init(frame, size: frame.body.count, bound: bound))
  }

  /// Returns a frame with the body that the worker sent as a memfd.
  /// - Throws: `.breach` if the memfd is missing, isn't sealed, is too large or can't be read.
  private mutating func resolved(
    _ frame: Frame, bound: Int, readsUpTo: Int
  ) throws(Failure) -> Arrival {
    guard !received.isEmpty else {
      throw .breach("A frame announced a descriptor that didn't come with it.")
    }
    let file = received.removeFirst()
    // The memfd must be sealed. Otherwise the worker could change or shorten the body while the
    // host reads it.
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

  /// Closes the descriptors that are still held. The supervisor closes the socket itself.
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
