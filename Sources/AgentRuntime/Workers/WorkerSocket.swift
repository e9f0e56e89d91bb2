internal import AgentWorkerProtocol
internal import CDescriptors
internal import Glibc

/// The host's end of one worker's socket: frames out of bytes and bytes out of frames. Never
/// blocks, keeps no thread; the owner calls it when the loop says that something can be done.
struct WorkerSocket {
  /// Why nothing more can be sent or received.
  enum Failure: Error {
    /// The stream has ended or is broken.
    case closed
    /// The worker sent what isn't a frame, or doesn't read what it is sent.
    case breach(String)
  }

  /// Bytes taken at a time.
  private static let readSize = 16 << 10

  private let descriptor: Int32
  private var decoder = FrameDecoder()
  private var outbound = OutboundQueue()
  /// Descriptors that arrived and whose frames haven't been read yet, in order.
  private var received: [Int32] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether bytes wait for the socket to take them.
  var wantsToWrite: Bool { !outbound.isEmpty }

  // MARK: Sending

  /// Queues a frame and sends what the socket takes.
  mutating func send(_ frame: Frame) throws(Failure) {
    try enqueue(frame)
    try flush()
  }

  /// Queues a frame; a large body goes into a sealed memfd.
  mutating func enqueue(_ frame: Frame) throws(Failure) {
    var accepted: Bool
    if frame.body.count > Frame.maximumInlineBody {
      let file = frame.body.withUnsafeBytes { descriptors_seal($0.baseAddress, $0.count) }
      guard file >= 0 else {
        throw .breach("A body of \(frame.body.count) bytes could not be put into memory.")
      }
      let announced = Frame(
        code: frame.code, id: frame.id, body: Array("{\"bytes\":\(frame.body.count)}".utf8),
        descriptor: true)
      accepted = outbound.enqueue(announced, descriptor: file)
      if !accepted { close(file) }
    } else {
      accepted = outbound.enqueue(frame)
    }
    if !accepted {
      throw .breach("It doesn't read what it is sent: \(outbound.count) bytes wait.")
    }
  }

  /// Sends as much as the socket takes now.
  mutating func flush() throws(Failure) {
    while true {
      let socket = descriptor
      let result = outbound.withNextChunk { bytes, file in
        descriptors_send(socket, bytes.baseAddress, bytes.count, file ?? -1)
      }
      guard let result else { return }
      if result < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN || errno == EWOULDBLOCK { return }
        // Nobody will read it: waiting for room to send it would never end.
        for file in outbound.removeAll() { close(file) }
        throw .closed
      }
      if let sent = outbound.advance(by: result) { close(sent) }
    }
  }

  /// Tells the worker that nothing more comes; what it still has to say is read.
  func end() { shutdown(descriptor, Int32(SHUT_WR)) }

  // MARK: Receiving

  /// Reads once and gives back the frames that are whole; `.closed` at the end of the stream.
  mutating func receive() throws(Failure) -> [Frame] {
    let socket = descriptor
    // Out of this value while it is added to, so that the closure doesn't capture all of it.
    var decoder = decoder
    self.decoder = FrameDecoder()
    let (count, files) = withUnsafeTemporaryAllocation(
      byteCount: Self.readSize, alignment: 16
    ) { buffer in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(DESCRIPTORS_MOST)) { files in
        var fileCount: Int32 = 0
        let count = descriptors_receive(
          socket, buffer.baseAddress, buffer.count, files.baseAddress, &fileCount)
        if count > 0 {
          decoder.append(
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
        }
        return (count, Array(files.prefix(Int(fileCount))))
      }
    }
    self.decoder = decoder
    received += files
    if count == 0 { throw .closed }
    if count < 0 {
      if errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK { return [] }
      throw .closed
    }
    return try frames()
  }

  private mutating func frames() throws(Failure) -> [Frame] {
    var frames: [Frame] = []
    do {
      while let frame = try decoder.next() {
        frames.append(frame.descriptor ? frame.resolving(try body()) : frame)
      }
    } catch let error as WorkerProtocolError {
      throw .breach(error.description)
    } catch let error as Failure {
      throw error
    } catch {
      throw .breach("\(error)")
    }
    return frames
  }

  /// The body that came as a memfd.
  private mutating func body() throws(Failure) -> [UInt8] {
    guard !received.isEmpty else {
      throw .breach("A frame announced a descriptor that didn't come with it.")
    }
    let file = received.removeFirst()
    defer { close(file) }
    let size = descriptors_sealed_size(file, Frame.maximumDescriptorBody)
    guard size >= 0 else {
      throw .breach("A descriptor beside a frame is larger than allowed, or isn't sealed.")
    }
    guard size > 0 else { return [] }
    guard let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), memory != MAP_FAILED
    else { throw .breach("A descriptor beside a frame can't be read.") }
    defer { munmap(memory, size) }
    return Array(UnsafeRawBufferPointer(start: memory, count: size))
  }

  /// Closes the descriptors that are still held; the socket itself is the supervisor's.
  mutating func release() {
    for file in received + outbound.removeAll() { close(file) }
    received = []
  }
}
