import NIOCore
import Testing

@testable import AgentWeb

/// What one connection reads and passes on, without input and output.
@Suite struct ReadAheadTests {
  /// Does what the state machine orders, until it has to wait.
  private func run(_ state: inout ReadAhead) -> [ReadAhead.Action] {
    var actions: [ReadAhead.Action] = []
    while true {
      let action = state.next()
      if action == .wait { return actions }
      actions.append(action)
      if action == .read { return actions }
    }
  }

  private func bytes(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

  @Test func `nothing is passed before the host wants it`() {
    var state = ReadAhead()
    #expect(run(&state) == [.read])
    state.received(bytes("GET / HTTP/1.1\r\n\r\n"))
    state.readCompleted()
    #expect(run(&state) == [])
    #expect(state.bytes == 18)
    state.wanted()
    #expect(run(&state) == [.pass(bytes("GET / HTTP/1.1\r\n\r\n")), .complete, .read])
  }

  @Test func `a piece holds one request at most`() {
    var state = ReadAhead()
    let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    state.received(bytes(request + request))
    state.wanted()
    #expect(state.next() == .pass(bytes(request)))
    state.head(length: nil, isChunked: false)
    state.requestEnded()
    #expect(run(&state) == [.complete])
    state.wanted()
    #expect(state.next() == .pass(bytes(request)))
  }

  @Test func `a body of a declared length ends where the next request begins`() {
    var state = ReadAhead()
    let head = "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n"
    state.received(bytes(head + "{}\n" + head + "{}\n"))
    state.wanted()
    #expect(state.next() == .pass(bytes(head)))
    state.head(length: 3, isChunked: false)
    #expect(state.next() == .pass(bytes("{}\n")))
    state.body(3)
    state.requestEnded()
    #expect(run(&state) == [.complete])
  }

  @Test func `the bytes of a long body come in pieces of 16 KiB`() {
    var state = ReadAhead()
    state.received(bytes("POST"))
    state.head(length: 1 << 20, isChunked: false)
    state.received(ByteBuffer(repeating: 1, count: 40 << 10))
    var sizes: [Int] = []
    for _ in 0..<3 {
      state.wanted()
      for case .pass(let bytes) in run(&state) {
        sizes.append(bytes.readableBytes)
        state.body(bytes.readableBytes)
      }
    }
    #expect(sizes == [16 << 10, 16 << 10, (8 << 10) + 4])
  }

  @Test func `a chunked body is cut where a request may follow it`() {
    var state = ReadAhead()
    state.received(bytes("2\r\n{}\r\n0\r\n\r\n"))
    state.received(bytes("GET / HTTP/1.1\r\n\r\n"))
    state.head(length: nil, isChunked: true)
    state.wanted()
    #expect(state.next() == .pass(bytes("2\r\n{}\r\n0\r\n\r\n")))
    state.body(2)
    state.requestEnded()
    #expect(run(&state) == [.complete])
  }

  @Test func `what is passed counts until it is taken`() {
    var state = ReadAhead()
    state.received(ByteBuffer(repeating: 1, count: 10_000))
    state.head(length: 1 << 20, isChunked: false)
    state.wanted()
    #expect(run(&state).count == 2)
    state.body(10_000)
    #expect(state.bytes == 10_000)
    // More than a small request waits, so the socket isn't read.
    #expect(run(&state) == [])
    state.wanted()
    #expect(state.bytes == 0)
    #expect(run(&state) == [.read])
  }

  @Test func `the begin of a head counts until its end has come`() {
    var state = ReadAhead()
    state.received(bytes("GET / HTTP/1.1\r\nHost: "))
    state.wanted()
    #expect(run(&state).count == 3)
    state.wanted()
    #expect(state.bytes == 22)
    state.received(bytes("a\r\n\r\n"))
    _ = run(&state)
    state.head(length: nil, isChunked: false)
    state.requestEnded()
    #expect(state.bytes == 27)
    state.wanted()
    #expect(state.bytes == 0)
  }

  @Test func `the socket is read once at a time, and again after a read that the budget refused`() {
    var state = ReadAhead()
    #expect(run(&state) == [.read])
    state.wanted()
    #expect(run(&state) == [])
    state.readPostponed()
    #expect(run(&state) == [.read])
  }

  @Test func `the end of a client's side is said after all that it has sent before`() {
    var state = ReadAhead()
    state.received(bytes("GET / HTTP/1.1\r\n\r\n"))
    state.inputClosed()
    #expect(run(&state) == [])
    state.wanted()
    #expect(run(&state) == [.pass(bytes("GET / HTTP/1.1\r\n\r\n")), .complete])
    state.head(length: nil, isChunked: false)
    state.requestEnded()
    #expect(run(&state) == [] && !state.isDrained)
    state.wanted()
    #expect(run(&state) == [.endInput] && state.isDrained)
    state.wanted()
    #expect(run(&state) == [])
  }

  @Test func `a few bytes don't keep the buffer that they were read into`() {
    var state = ReadAhead()
    var large = ByteBufferAllocator().buffer(capacity: 16 << 10)
    large.writeString("G")
    state.received(large)
    state.wanted()
    guard case .pass(let bytes) = state.next() else {
      Issue.record("Nothing is passed.")
      return
    }
    #expect(bytes == self.bytes("G") && bytes.storageCapacity < 1 << 10)
  }
}
