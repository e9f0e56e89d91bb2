import AgentWorkerProtocol
import Testing

@Suite struct OutboundQueueTests {
  /// Sends everything, at most `step` bytes at a time, and decodes what left.
  private func drain(_ queue: inout OutboundQueue, step: Int) throws -> [Frame] {
    var decoder = FrameDecoder()
    while let piece = queue.withNextChunk({ bytes, _ in Array(bytes.prefix(step)) }) {
      decoder.append(piece)
      _ = queue.advance(by: piece.count)
    }
    var frames: [Frame] = []
    while let frame = try decoder.next() { frames.append(frame) }
    return frames
  }

  @Test func `control frames overtake data but never split a frame`() throws {
    var queue = OutboundQueue()
    let event = Frame(.event, id: 1, body: Array(repeating: 0x31, count: 20_000))
    #expect(queue.enqueue(event) == true)
    #expect(
      queue.enqueue(Frame(.event, id: 2, body: Array(repeating: 0x31, count: 20_000))) == true)
    let left = queue.withNextChunk { bytes, _ in Array(bytes.prefix(100)) } ?? []
    _ = queue.advance(by: left.count)
    #expect(queue.enqueue(Frame(.ping, id: 3)) == true)

    var decoder = FrameDecoder()
    decoder.append(left)
    while let piece = queue.withNextChunk({ bytes, _ in Array(bytes) }) {
      decoder.append(piece)
      _ = queue.advance(by: piece.count)
    }
    var ids: [UInt32] = []
    while let frame = try decoder.next() { ids.append(frame.id) }
    #expect(ids == [1, 3, 2])
    #expect(queue.isEmpty)
  }

  @Test func `many small frames are sent in one piece and in order`() throws {
    var queue = OutboundQueue()
    for id in 1...100 { #expect(queue.enqueue(Frame(.credit, id: UInt32(id))) == true) }
    #expect(queue.withNextChunk { bytes, _ in bytes.count } == 900)
    #expect(try drain(&queue, step: 13).map(\.id) == Array(1...100))
  }

  @Test func `a full queue refuses data and still takes control frames`() {
    var queue = OutboundQueue(limit: 1000)
    let event = Frame(.event, body: Array(repeating: 0x31, count: 400))
    #expect(queue.enqueue(event) == true)
    #expect(queue.enqueue(event) == true)
    #expect(queue.enqueue(event) == false)
    #expect(queue.enqueue(Frame(.ping, id: 1)) == true)
    for id in 2...200 as ClosedRange<UInt32> where !queue.enqueue(Frame(.ping, id: id)) { return }
    Issue.record("the control lane has no bound")
  }

  @Test func `a descriptor is sent with its frame's first byte and returned for closing`() {
    var queue = OutboundQueue()
    #expect(queue.enqueue(Frame(.ping, id: 1)) == true)
    #expect(queue.enqueue(Frame(.reply, id: 2, descriptor: true), descriptor: 42) == true)
    #expect(queue.enqueue(Frame(.ping, id: 3)) == true)
    #expect(queue.withNextChunk { bytes, descriptor in descriptor } == .some(nil))
    #expect(queue.advance(by: 9) == nil)
    #expect(queue.withNextChunk { bytes, descriptor in descriptor } == 42)
    #expect(queue.advance(by: 1) == 42)
    #expect(queue.withNextChunk { bytes, descriptor in descriptor } == .some(nil))
    #expect(queue.advance(by: 8) == nil)
    #expect(queue.removeAll() == [])
  }

  @Test func `bodies in descriptors count until they are sent`() {
    var queue = OutboundQueue(limit: 1000, descriptorLimit: 100)
    let frame = Frame(.reply, id: 2, body: Array("{}".utf8), descriptor: true)
    // One always has space.
    #expect(queue.enqueue(frame, descriptor: 40, bodySize: 500) == true)
    #expect(!queue.hasSpace(forDescriptorBody: 1))
    #expect(queue.enqueue(frame, descriptor: 41, bodySize: 1) == false)
    #expect(queue.descriptorBytes == 500 && queue.nextDescriptorSize == 500)
    let first = queue.withNextChunk { bytes, _ in bytes.count }
    #expect(queue.advance(by: first ?? 0) == 40)
    #expect(queue.descriptorBytes == 0 && queue.nextDescriptorSize == 0)
    #expect(queue.enqueue(frame, descriptor: 41, bodySize: 60) == true)
    #expect(queue.enqueue(frame, descriptor: 42, bodySize: 40) == true)
    #expect(queue.enqueue(frame, descriptor: 43, bodySize: 1) == false)
    #expect(queue.removeAll().sorted() == [41, 42])
    #expect(queue.descriptorBytes == 0)
  }
}
