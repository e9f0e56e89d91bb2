import AgentEvents
import AgentJSON
import AgentSupervision
import AgentSystem
import AgentWorkerProtocol
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

/// The host's memory for one worker is bounded in bytes, whatever the worker sends.
@Suite(.timeLimit(.minutes(5))) struct LinkBoundsTests {
  private static let megabyte = 1 << 20

  private func running(events: EventBus? = nil) async throws -> LinkFixture {
    let fixture = try LinkFixture(events: events)
    try await fixture.run()
    return fixture
  }

  private func event(_ n: Int, bytes: Int) -> String {
    #"{"type":"tick","n":\#(n),"pad":""# + String(repeating: "x", count: bytes) + #""}"#
  }

  private func breach(_ fixture: LinkFixture) async -> String? {
    while let report = await fixture.report() {
      if case .breach(let reason) = report { return reason }
    }
    return nil
  }

  // MARK: Descriptors

  @Test func `a descriptor that no frame announces is a breach`() async throws {
    let fixture = try await running()
    defer { fixture.end() }
    await fixture.worker.sendDescriptor(Frame(.heartbeat), 0)
    #expect(await breach(fixture)?.contains("no frame announces") == true)
  }

  @Test func `a descriptor in the middle of a frame that announced none is a breach`()
    async throws
  {
    let fixture = try await running()
    defer { fixture.end() }
    await fixture.worker.sendBytes([5, 0, 0, 0, Op.heartbeat.rawValue])
    await fixture.worker.sendDescriptor(Frame(.heartbeat), 0)
    #expect(await breach(fixture) != nil)
  }

  @Test func `a pipe, a file and an unsealed memfd are refused as bodies`() async throws {
    for flags in [0, 1] {
      let fixture = try await running()
      defer { fixture.end() }
      let file = flags == 0 ? open("/dev/zero", O_RDONLY) : memoryFile()
      await fixture.worker.sendDescriptor(
        Frame(.publish, body: Array("{}".utf8), descriptor: true), file)
      close(file)
      #expect(await breach(fixture)?.contains("isn't sealed") == true)
    }
  }

  // MARK: Bodies

  @Test func `a PUBLISH beyond its bound is a breach, whatever its memfd holds`() async throws {
    let fixture = try await running()
    defer { fixture.end() }
    await fixture.worker.sendBeside(
      .publish, [UInt8](repeating: 0x20, count: FrameBounds.maxPublish + 1))
    #expect(await breach(fixture)?.contains("\(FrameBounds.maxPublish)") == true)
  }

  @Test func `a record that is too long is cut, and an enormous one is left out`() async throws {
    let fixture = try await running()
    let text = String(repeating: "y", count: 200_000)
    await fixture.worker.sendBytes(
      {
        var bytes: [UInt8] = []
        let body = Array(#"{"level":"info","message":"\#(text)"}"#.utf8)
        FrameEncoder.append(Frame(.log, body: body), to: &bytes)
        return bytes
      }())
    await fixture.worker.sendBeside(
      .log, Array(#"{"level":"info","message":""#.utf8) + [UInt8](repeating: 0x61, count: 60 << 20))
    await fixture.worker.send { _ in [Frame(.heartbeat)] }
    await fixture.settle()
    fixture.end()
    #expect(fixture.said.all.count == 2)
    #expect(fixture.said.all.first?.hasSuffix("y … (cut)") == true)
    #expect(fixture.said.all.first?.utf8.count ?? 0 < 66_000)
    #expect(fixture.said.all.last?.contains("A record was dropped") == true)
  }

  @Test func `an event that is too long is refused, and those beside it are stored`() async throws {
    let fixture = try await running()
    defer { fixture.end() }
    let batch = "[\(event(1, bytes: 10)),\(event(2, bytes: Self.megabyte)),\(event(3, bytes: 10))]"
    await fixture.worker.sendBeside(.publish, Array(batch.utf8))
    await fixture.worker.send { _ in [Frame(.heartbeat)] }
    await fixture.settle()
    #expect(fixture.events.counts.published == 2)
    #expect(fixture.said.all.contains { $0.contains("1 events were refused") })
    #expect(fixture.link.refused == ["events": 1])
    #expect(fixture.link.load.publishing == 0)
  }

  @Test func `events on their way to the store hold the worker back without loss`() async throws {
    let fixture = try await running()
    defer { fixture.end() }
    // As if so much had been published before.
    fixture.link.act { state in
      state.publishing = WorkerLink.maxPublishing + 1
      return []
    }
    let batch = Array("[\(event(1, bytes: 10))]".utf8)
    await fixture.worker.send { _ in Array(repeating: Frame(.publish, body: batch), count: 50) }
    await fixture.worker.send { _ in [Frame(.log, body: LinkFixture.record("after them"))] }
    #expect(fixture.events.counts.published == 0)
    fixture.link.published(0, bytes: WorkerLink.maxPublishing + 1)
    try await wait(while: !fixture.said.all.contains("after them"))
    #expect(fixture.events.counts.published == 50)
    #expect(fixture.link.load.publishing == 0)
  }

  @Test func `a held back worker isn't read, but counts as alive`() async throws {
    let bus = EventBus(awaitsLog: true, now: { Timestamp.now() })
    let fixture = try await running(events: bus)
    defer { fixture.end() }
    fixture.link.withState { $0.publishing = WorkerLink.maxPublishing }
    let batch = Array("[\(event(1, bytes: 10))]".utf8)
    let frames = [Frame](repeating: Frame(.publish, body: batch), count: 50)
    await fixture.worker.send { _ in frames + [Frame(.heartbeat)] }
    #expect(await fixture.report() == .alive)
    #expect(await fixture.report() == .alive)
    #expect(fixture.link.load.publishing == WorkerLink.maxPublishing + batch.count)
    #expect(fixture.link.load.inbound > 49 * batch.count)
  }

  // MARK: Calls

  @Test func `calls that wait for answers are bounded in bytes, and the excess is refused`()
    async throws
  {
    let bus = EventBus(awaitsLog: true, now: { Timestamp.now() })
    let fixture = try await running(events: bus)
    defer { fixture.end() }
    let call = Call(service: "events/1", method: "query", input: Array(#"{"query":"tick"}"#.utf8))
    await fixture.worker.send { _ in [Frame(.call, id: 1, body: call.json)] }
    try await wait(while: fixture.link.load.calls == 0)
    #expect(fixture.link.load.calls == call.json.count)
    // As if they had been as long as they may be.
    fixture.link.withState { $0.asking = WorkerLink.maxAsking - 10 }
    await fixture.worker.send { _ in [Frame(.call, id: 2, body: call.json)] }
    let answer = try await fixture.worker.expect(.error)
    #expect(answer.id == 2)
    #expect(try WorkerError(json: answer.body).code == .overloaded)
  }

  @Test func `a call that no service would accept is refused, and the next one answered`()
    async throws
  {
    let fixture = try await running()
    defer { fixture.end() }
    await fixture.worker.sendBeside(
      .call, id: 1, [UInt8](repeating: 0x20, count: FrameBounds.maxCall + 1))
    #expect(
      try WorkerError(json: await fixture.worker.expect(.error).body).code == .invalidArgument)
    let call = Call(service: "events/1", method: "query", input: Array(#"{"query":"a"}"#.utf8))
    await fixture.worker.send { _ in [Frame(.call, id: 2, body: call.json)] }
    #expect(try await fixture.worker.expect(.reply).id == 2)
    #expect(fixture.link.load.calls == 0)
    #expect(fixture.link.refused == ["calls": 1])
  }

  @Test func `a worker that calls without reading gets refusals instead of answers`() async throws {
    let bus = EventBus(awaitsLog: true, now: { Timestamp.now() })
    let fixture = try await running(events: bus)
    defer { fixture.end() }
    let call = Call(service: "events/1", method: "query", input: Array(#"{"query":"tick"}"#.utf8))
    let ids = 1...12 as ClosedRange<UInt32>
    for id in ids { await fixture.worker.send { _ in [Frame(.call, id: id, body: call.json)] } }
    try await wait(while: fixture.link.load.calls < ids.count * call.json.count)
    let answer = [UInt8](repeating: 0x31, count: 16 << 20)
    for id in ids { fixture.link.answered(id, .success(answer)) }
    #expect(fixture.link.load.outbound <= WorkerSocket.maxInFlight + (65 << 20))
    #expect(fixture.link.load.calls == 0)
    var answers: [Op?: Int] = [:]
    for _ in ids { answers[try await fixture.worker.frame().op, default: 0] += 1 }
    // As many as may be on their way, and as many as may wait; what waited came when those were read.
    #expect(answers == [.reply: 8, .error: 4])
    #expect(fixture.link.refused == ["answers": 4])
    try await wait(while: fixture.link.load.outbound > WorkerSocket.maxInFlight)
  }

  // MARK: Subscriptions

  @Test(arguments: [0, -1, FrameBounds.maxCapacity + 1, 1 << 62])
  func `a capacity out of bounds is refused`(capacity: Int) async throws {
    let fixture = try await running()
    defer { fixture.end() }
    await fixture.worker.send { _ in
      [Frame(.subscribe, id: 7, body: Subscribe(query: "tick", capacity: capacity).json)]
    }
    let error = try WorkerError(json: await fixture.worker.expect(.error).body)
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains("\(FrameBounds.maxCapacity)"))
    #expect(fixture.events.counts.subscriptions == 0)
    #expect(fixture.link.refused == ["subscriptions": 1])
  }

  @Test func `EVENT carries a megabyte at most, and all events arrive`() async throws {
    let fixture = try await running()
    defer { fixture.end() }
    await fixture.worker.send { _ in
      [
        Frame(.subscribe, id: 7, body: Subscribe(query: "tick").json),
        Frame(.credit, id: 7, body: Credit(count: 1000).json),
      ]
    }
    _ = try await fixture.worker.expect(.reply)
    try fixture.events.publish(
      (0..<40).map {
        [
          "type": "tick", "n": JSONValue($0),
          "pad": .string(String(repeating: "x", count: 300_000)),
        ]
      }, source: "test")
    var numbers: [Int] = []
    while numbers.count < 40 {
      let frame = try await fixture.worker.expect(.event)
      #expect(frame.body.count < 2 * Self.megabyte)
      let batch = try EventBatch(json: frame.body)
      numbers += try JSONDocument(parsing: batch.events).root.elements.compactMap { $0["n"]?.int }
    }
    #expect(numbers == Array(0..<40))
  }

  @Test func `a subscriber that doesn't read keeps its events in its queue`() async throws {
    let fixture = try await running()
    defer { fixture.end() }
    await fixture.worker.send { _ in
      [
        Frame(.subscribe, id: 7, body: Subscribe(query: "tick", capacity: 10).json),
        Frame(.credit, id: 7, body: Credit(count: 1_000_000).json),
      ]
    }
    _ = try await fixture.worker.expect(.reply)
    for n in 0..<20 {
      try fixture.events.publish(
        [
          [
            "type": "tick", "n": JSONValue(n),
            "pad": .string(String(repeating: "x", count: 900_000)),
          ]
        ], source: "test")
    }
    #expect(fixture.link.load.outbound <= 4 * Self.megabyte)
    var last = -1
    while last < 19 {
      let batch = try EventBatch(json: try await fixture.worker.expect(.event).body)
      last =
        try JSONDocument(parsing: batch.events).root.elements.map { $0 }.last?["n"]?.int ?? last
    }
  }

  // MARK: Pace

  @Test(arguments: [Op.heartbeat.rawValue, 99]) func `frames without content are read slowly`(
    code: UInt8
  ) async throws {
    let fixture = try await running()
    fixture.link.withState { $0.frames = RateLimit(OutputLimits(burst: 10, linesPerSecond: 1)) }
    // The loop stands until all of it has been sent, so that it is read at once.
    let isStanding = StopSignal()
    let isSent = DispatchSemaphore(value: 0)
    let isRead = StopSignal()
    let isReading = Mutex<Bool?>(nil)
    fixture.loop.execute {
      isStanding.set()
      isSent.wait()
      fixture.link.receive()
      isReading.withLock { $0 = fixture.link.withState(\.isReading) }
      isRead.set()
    }
    await isStanding.wait()
    // Half an hour's worth, of which one second or ten may pass meanwhile.
    await fixture.worker.send { _ in
      Array(repeating: Frame(code: code, id: 0, body: [], descriptor: false), count: 1_800)
    }
    isSent.signal()
    await isRead.wait()
    #expect(isReading.withLock(\.self) == false)
    // Nothing is lost of what comes after.
    await fixture.worker.send { _ in [Frame(.log, body: LinkFixture.record("after them"))] }
    try await wait(while: !fixture.said.all.contains("after them"))
    fixture.end()
  }
}
