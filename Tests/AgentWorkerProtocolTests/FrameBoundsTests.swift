import AgentWorkerProtocol
import Testing

@Suite struct FrameBoundsTests {
  private func running() -> HostSession {
    var session = HostSession()
    let hello = Hello(protocols: 1...1, abi: 1, toolchain: "", pid: 5).json
    _ = session.receive(Frame(.hello, body: hello))
    return session
  }

  private func excess(_ op: Op, id: UInt32 = 0, bound: Int = 10) -> ExcessiveFrame {
    ExcessiveFrame(code: op.rawValue, id: id, size: 11, bound: bound)
  }

  @Test(arguments: Op.allCases)
  func `every kind of frame has a bound within a memfd's size`(
    op: Op
  ) {
    let bound = FrameBounds().maxBody(of: op.rawValue)
    #expect(bound > 0 && bound <= FrameBounds.maxReply)
  }

  @Test func `a record that is too long is reported and costs no memory`() {
    var session = running()
    guard case .log(let record)? = session.receive(excess(.log)).first else {
      Issue.record("nothing was logged")
      return
    }
    #expect(
      record.message == "A record was dropped: LOG of 11 bytes is more than the 10 that are taken.")
    #expect(session.state == .greeted)
  }

  @Test func `a call that is too long is refused for good or for now`() throws {
    var session = running()
    for (bound, code) in [(10, StatusCode.overloaded), (FrameBounds.maxCall, .invalidArgument)] {
      let answer = try #require(session.receive(excess(.call, id: 3, bound: bound)).frames.first)
      #expect(answer.op == .error && answer.id == 3)
      #expect(try WorkerError(json: answer.body).code == code)
    }
  }

  @Test(arguments: [Op.publish, .part, .subscribe, .hello, .loaded, .ended, .heartbeat, .reply])
  func `any other frame that is too long is a breach`(op: Op) {
    var session = running()
    #expect(session.receive(excess(op, id: 9)).breach?.contains("11 bytes") == true)
    #expect(session.state == .broken)
    #expect(session.receive(excess(.log)).isEmpty)
  }

  @Test func `every frame before HELLO is a breach`() {
    var session = HostSession()
    #expect(session.receive(excess(.log)).breach != nil)
  }

  @Test func `a decoder counts the announced descriptors`() {
    var decoder = FrameDecoder()
    #expect(decoder.announcedDescriptors == 0 && !decoder.hasNext)
    decoder.append([9, 0, 0])
    #expect(decoder.announcedDescriptors == 1)
    decoder.append([0, Op.publish.rawValue | 0x80])
    #expect(decoder.announcedDescriptors == 1 && !decoder.hasNext)
    decoder = FrameDecoder()
    decoder.append([9, 0, 0, 0, Op.publish.rawValue])
    #expect(decoder.announcedDescriptors == 0)
    decoder.append([0, 0, 0, 0, 1, 2, 3, 4])
    #expect(decoder.hasNext)
    decoder = FrameDecoder()
    decoder.append([255, 255, 255, 255])
    #expect(decoder.hasNext)
  }
}
