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
    private let parts = Mutex<[Int]>([])
    /// The sizes of the parts.
    var sizes: [Int] { parts.withLock(\.self) }
    private let finished = Atomic(false)
    var isFinished: Bool { finished.load(ordering: .relaxed) }

    func add(_ size: Int) { parts.withLock { $0.append(size) } }
    func finish() { finished.store(true, ordering: .relaxed) }
  }

  private struct Writer: ResponseBodyWriter {
    let taken: Taken

    mutating func write(_ buffer: ByteBuffer) async throws {
      taken.add(buffer.readableBytes)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
      taken.finish()
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
    #expect(taken.sizes == [65_536, 65_536, 65_536, 3392])
    #expect(taken.isFinished)
  }

  @Test func `a small answer is written as it is`() async throws {
    let events = EventBus(now: { 0 })
    var small = response(65_536)
    LargeAnswer.account(&small, in: events.streams) {}
    #expect(try await taken(small.body).sizes == [65_536])
  }

  @Test func `a large answer is made when clients have taken those before it`() async throws {
    let events = EventBus(now: { 0 })
    var first = response(65 << 20)
    LargeAnswer.account(&first, in: events.streams) {}
    let isMade = Mutex(false)
    let second = Task {
      let permit = await events.streams.permit()
      isMade.withLock { $0 = true }
      permit.end()
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(!isMade.withLock { $0 })
    _ = try await taken(first.body)
    await second.value
    #expect(isMade.withLock { $0 })
  }

  @Test func `an answer that is dropped unread counts no longer`() async throws {
    let events = EventBus(now: { 0 })
    do {
      var dropped = response(65 << 20)
      LargeAnswer.account(&dropped, in: events.streams) {}
    }
    await events.streams.permit().end()
  }

  @Test func `one principal has a bounded number of large answers, and others have theirs`()
    async throws
  {
    let events = EventBus(now: { 0 })
    let shares = LargeAnswerShares()
    var slots = try (1...LargeAnswerShares.most).map { _ in try shares.slot(for: "one") }
    let problem = #expect(throws: APIProblem.self) { try shares.slot(for: "one") }
    #expect(problem?.status == .tooManyRequests)
    _ = try shares.slot(for: "another")
    // It counts until the answer is taken.
    var answer = response(200_000)
    LargeAnswer.account(&answer, in: events.streams, keeping: slots.removeLast()) {}
    #expect(throws: APIProblem.self) { try shares.slot(for: "one") }
    _ = try await taken(answer.body)
    answer.body = ResponseBody()
    _ = try shares.slot(for: "one")
    withExtendedLifetime(slots) {}
  }
}
