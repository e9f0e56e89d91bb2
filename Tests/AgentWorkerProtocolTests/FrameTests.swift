import AgentWorkerProtocol
import Testing

@Suite struct FrameTests {
  private let frames = [
    Frame(.hello, body: Array(#"{"pid":1}"#.utf8)), Frame(.ping, id: 7),
    Frame(.invoke, id: .max, body: Array(repeating: 0x20, count: 3000)),
    Frame(code: 99, id: 3, body: [1, 2, 3], descriptor: true),
  ]

  private func decode(_ bytes: [UInt8], pieces: Int) throws -> [Frame] {
    var decoder = FrameDecoder()
    var decoded: [Frame] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      decoder.append(Array(bytes[start..<min(start + pieces, bytes.count)]))
      while let frame = try decoder.next() { decoded.append(frame) }
    }
    #expect(decoder.pending == 0)
    return decoded
  }

  @Test(arguments: [1, 2, 7, 4096, 1 << 20])
  func `frames are decoded unchanged, whatever the pieces`(pieces: Int) throws {
    var bytes: [UInt8] = []
    for frame in frames { FrameEncoder.append(frame, to: &bytes) }
    #expect(try decode(bytes, pieces: pieces) == frames)
  }

  @Test(arguments: [0, 4, 16 << 20 | 1, 2 << 30, 0xFFFF_FFFF] as [UInt32])
  func `a length out of range is refused before its bytes arrive`(length: UInt32) {
    var decoder = FrameDecoder()
    decoder.append((0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) })
    let error = #expect(throws: WorkerProtocolError.self) { try decoder.next() }
    #expect(error?.code == .frameLength)
    #expect(error?.message.contains("\(length) bytes") == true)
  }

  @Test func `frames on the wire match the protocol's page`() {
    var bytes: [UInt8] = []
    FrameEncoder.append(Frame(.reply, id: 0x0102, body: [0x7B, 0x7D]), to: &bytes)
    #expect(bytes == [7, 0, 0, 0, 9, 2, 1, 0, 0, 0x7B, 0x7D])
  }
}
