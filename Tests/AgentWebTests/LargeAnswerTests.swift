import AgentEvents
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization
import Testing

@testable import AgentWeb

@Suite struct LargeAnswerTests {
  /// What a client has taken, and how the parts came.
  private final class Taken: Sendable {
    let parts = Mutex<[Int]>([])
    let isFinished = Atomic(false)
  }

  private struct Writer: ResponseBodyWriter {
    let taken: Taken

    mutating func write(_ buffer: ByteBuffer) async throws {
      taken.parts.withLock { $0.append(buffer.readableBytes) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
      taken.isFinished.store(true, ordering: .relaxed)
    }
  }

  private func taken(_ body: ResponseBody) async throws -> Taken {
    let taken = Taken()
    try await body.write(Writer(taken: taken))
    return taken
  }

  private func response(_ count: Int) -> Response {
    Response(
      status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x78, count: count)))
  }

  @Test func `a large answer is written in parts, and keeps its length`() async throws {
    let events = EventBus(now: { 0 })
    var large = response(200_000)
    LargeAnswer.account(&large, in: events.streams) { Issue.record("ended") }
    #expect(large.body.contentLength == 200_000)
    let taken = try await taken(large.body)
    #expect(taken.parts.withLock(\.self) == [65_536, 65_536, 65_536, 3392])
    #expect(taken.isFinished.load(ordering: .relaxed))
  }

  @Test func `a small answer is written as it is`() async throws {
    let events = EventBus(now: { 0 })
    var small = response(65_536)
    LargeAnswer.account(&small, in: events.streams) {}
    #expect(try await taken(small.body).parts.withLock(\.self) == [65_536])
  }

  @Test func `a large answer is made when clients have taken those before it`() async throws {
    let events = EventBus(now: { 0 })
    var first = response(65 << 20)
    LargeAnswer.account(&first, in: events.streams) {}
    let isMade = Atomic(false)
    let second = Task {
      let permit = await events.streams.permit()
      isMade.store(true, ordering: .relaxed)
      permit.end()
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(!isMade.load(ordering: .relaxed))
    _ = try await taken(first.body)
    await second.value
    #expect(isMade.load(ordering: .relaxed))
  }

  @Test func `an answer that is dropped unread counts no longer`() async throws {
    let events = EventBus(now: { 0 })
    do {
      var dropped = response(65 << 20)
      LargeAnswer.account(&dropped, in: events.streams) {}
    }
    await events.streams.permit().end()
  }
}
