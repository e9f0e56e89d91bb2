import AgentWorkerProtocol
import CDescriptors
import Glibc

/// Reads whole frames from the socket, with bodies that are sent in descriptors. Only one thread
/// may use it.
struct FrameReader {
  private let connection: Connection
  private var decoder = FrameDecoder()
  private var descriptors: [Int32] = []
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)
  /// Whether the last read emptied the socket. Another read would find nothing, so the reader waits
  /// first.
  private var isDrained = true

  init(connection: Connection) {
    self.connection = connection
  }

  /// Returns the next frame and waits for it if necessary. Ends the process when the host has ended
  /// or broken the protocol.
  mutating func next() -> Frame {
    do {
      while true {
        if let frame = try decoder.next() {
          return frame.descriptor ? try resolve(frame) : frame
        }
        receive()
      }
    } catch {
      Exit.now(70, error.description)
    }
  }

  private mutating func receive() {
    if isDrained { connection.waitForBytes() }
    var received = [Int32](repeating: -1, count: Int(DESCRIPTORS_MOST))
    var count: Int32 = 0
    let read = buffer.withUnsafeMutableBytes {
      descriptors_receive(connection.socket, $0.baseAddress, $0.count, &received, &count)
    }
    descriptors += received.prefix(Int(count))
    isDrained = read < buffer.count
    switch read {
    case 1...:
      buffer.withUnsafeBytes { decoder.append(UnsafeRawBufferPointer(rebasing: $0[..<read])) }
    case 0: connection.bytesEnded()
    default:
      guard errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR else { Exit.now(0) }
    }
  }

  private mutating func resolve(_ frame: Frame) throws(WorkerProtocolError) -> Frame {
    guard !descriptors.isEmpty else { throw .missingDescriptor(frame) }
    let descriptor = descriptors.removeFirst()
    defer { close(descriptor) }
    let size = descriptors_sealed_size(descriptor, Frame.maxDescriptorBody)
    guard size >= 0 else { throw .missingDescriptor(frame) }
    var body = [UInt8](repeating: 0, count: size)
    let read = body.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard read == size else { throw .missingDescriptor(frame) }
    return frame.resolving(body)
  }
}

extension WorkerProtocolError {
  static func missingDescriptor(_ frame: Frame) -> WorkerProtocolError {
    WorkerProtocolError(
      code: .descriptor,
      message: "\(frame.name) announced a sealed descriptor that didn't come with it.")
  }
}
