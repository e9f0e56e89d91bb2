import AgentEvents
import AgentJSON
import AgentSupervision
import AgentWorkerProtocol
import Glibc
import Synchronization
import Testing

@testable import AgentWorkers

@Suite(.timeLimit(.minutes(5))) struct WorkerLinkTests {
  @Test func `the handshake names the worker's process and settings`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    let load = try await fixture.worker.load(LinkFixture.loaded)
    #expect(load.module == "clock")
    let configure = try await fixture.worker.configure()
    #expect(configure.contribution == LinkFixture.time)
    #expect(configure.settings == Array(#"{"zone":"UTC"}"#.utf8))
    #expect(await fixture.report() == .ready)
    fixture.link.start()
    try await fixture.worker.start()
    #expect(await fixture.report() == .started)
    #expect(await fixture.link.isStarted())
  }

  @Test func `a good module's next worker finds CONFIGURE right behind LOAD`() async throws {
    let old = try LinkFixture()
    defer { old.end() }
    try await old.run()
    let new = try LinkFixture(succeeding: old)
    defer { new.end() }
    let load = try await new.worker.expect(.load)
    let configure = try await new.worker.expect(.configure)
    await new.worker.send { session in
      [
        session.hello(Hello(protocols: 1...1, abi: 1, toolchain: "", pid: getpid())),
        session.loaded(load.id, LinkFixture.loaded), session.ready(configure.id),
      ]
    }
    #expect(await new.report() == .ready)
  }

  @Test func `a module that differs from its manifest is refused`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    var loaded = LinkFixture.loaded
    loaded.version = "9.0.0"
    _ = try await fixture.worker.load(loaded)
    guard case .refused(let reason) = await fixture.report() else {
      Issue.record("It wasn't refused.")
      return
    }
    #expect(reason.contains("9.0.0"))
  }

  @Test func `settings that create refuses are reported in the module's words`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    _ = try await fixture.worker.load(LinkFixture.loaded)
    let configure = try await fixture.worker.expect(.configure)
    await fixture.worker.send { session in
      [session.fail(configure.id, WorkerError(.invalidSettings, "No such zone."))]
    }
    guard case .refused(let reason) = await fixture.report() else {
      Issue.record("It wasn't refused.")
      return
    }
    #expect(reason.contains("No such zone."))
  }

  @Test func `published events reach the bus, and their credit returns`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    let event = #"{"type":"tick"}"#
    let batch = "[" + Array(repeating: event, count: 256).joined(separator: ",") + "]"
    await fixture.worker.send { session in
      guard case .sent(let frames) = session.publish(Array(batch.utf8), token: nil) else {
        return []
      }
      return frames
    }
    let credit = try await fixture.worker.expect(.credit)
    #expect(credit.id == 0)
    #expect(try JSONDocument(parsing: credit.body).root["n"]?.int == 256)
    #expect(fixture.events.counts.published == 256)
  }

  @Test func `no more events are sent than the credit permits`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    let request = Frame(.subscribe, id: 7, body: Subscribe(query: "tick").json)
    await fixture.worker.send { _ in [request] }
    #expect(try await fixture.worker.expect(.reply).id == 7)
    try fixture.events.publish(
      (1...3).map { ["type": "tick", "n": JSONValue($0)] }, source: "test")
    await fixture.worker.send { _ in [Frame(.credit, id: 7, body: Array(#"{"n":2}"#.utf8))] }
    #expect(try await numbers(fixture) == [1, 2])
    await fixture.worker.send { _ in [Frame(.credit, id: 7, body: Array(#"{"n":5}"#.utf8))] }
    #expect(try await numbers(fixture) == [3])
  }

  /// Also when that is dead, but its end hasn't been seen to yet.
  @Test(arguments: [false, true])
  func `a successor continues where its predecessor stopped`(
    isPutOff: Bool
  ) async throws {
    let old = try LinkFixture()
    try await old.run()
    let request = Frame(.subscribe, id: 7, body: Subscribe(query: "tick").json)
    await old.worker.send { _ in [request] }
    _ = try await old.worker.expect(.reply)
    try old.events.publish((1...3).map { ["type": "tick", "n": JSONValue($0)] }, source: "test")
    await old.worker.send { _ in [Frame(.credit, id: 7, body: Array(#"{"n":2}"#.utf8))] }
    #expect(try await numbers(old) == [1, 2])
    if isPutOff { old.link.exited() } else { old.end() }
    defer { if isPutOff { old.end() } }
    try old.events.publish([["type": "tick", "n": 4]], source: "test")

    let new = try LinkFixture(succeeding: old)
    defer { new.end() }
    try await new.run()
    await new.worker.send { _ in [request] }
    _ = try await new.worker.expect(.reply)
    await new.worker.send { _ in [Frame(.credit, id: 7, body: Array(#"{"n":9}"#.utf8))] }
    #expect(try await numbers(new) == [3, 4])
  }

  /// The wall clock of the bus jumps by a day in both; only the steady clock counts.
  @Test(arguments: [(Duration.seconds(59), [1, 2]), (.seconds(61), [2])])
  func `a position is valid for a minute of the steady clock, whatever the wall clock does`(
    downtime: Duration, expected: [Int]
  ) async throws {
    let steady = Mutex(Duration.zero)
    let wall = Mutex<Int64>(1_700_000_000_000)
    let bus = EventBus(now: { wall.withLock(\.self) })
    let old = try LinkFixture(
      events: bus, positions: SubscriptionPositions(steady: { steady.withLock(\.self) }))
    try await old.run()
    let request = Frame(.subscribe, id: 7, body: Subscribe(query: "tick").json)
    await old.worker.send { _ in [request] }
    _ = try await old.worker.expect(.reply)
    old.end()
    steady.withLock { $0 += downtime }
    wall.withLock { $0 += 86_400_000 }
    try bus.publish([["type": "tick", "n": 1]], source: "test")

    let new = try LinkFixture(succeeding: old)
    defer { new.end() }
    try await new.run()
    await new.worker.send { _ in [request] }
    _ = try await new.worker.expect(.reply)
    try bus.publish([["type": "tick", "n": 2]], source: "test")
    await new.worker.send { _ in [Frame(.credit, id: 7, body: Array(#"{"n":9}"#.utf8))] }
    #expect(try await numbers(new) == expected)
  }

  private func numbers(_ fixture: LinkFixture) async throws -> [Int] {
    let batch = try EventBatch(json: try await fixture.worker.expect(.event).body)
    return try JSONDocument(parsing: batch.events).root.elements.compactMap { $0["n"]?.int }
  }

  @Test func `an invalid query refuses the subscription`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    await fixture.worker.send { _ in
      [Frame(.subscribe, id: 7, body: Subscribe(query: "type = ( ").json)]
    }
    let answer = try await fixture.worker.expect(.error)
    #expect(answer.id == 7)
    #expect(try WorkerError(json: answer.body).code == .invalidArgument)
  }

  @Test func `a call returns the worker's answer`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    let link = fixture.link
    let output = Task {
      try await link.invoke(LinkFixture.time, input: Array(#"{"text":"when?"}"#.utf8), deadline: 0)
    }
    let invoke = try await fixture.worker.expect(.invoke)
    #expect(try Invoke(json: invoke.body).input == Array(#"{"text":"when?"}"#.utf8))
    await fixture.worker.send { session in
      [session.finish(invoke.id, .success(Array("1".utf8)))].compactMap { $0 }
    }
    #expect(try await output.value == Array("1".utf8))
  }

  @Test func `a call that takes too long is cancelled, and its end is awaited`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    let link = fixture.link
    let output = Task {
      try await link.invoke(
        LinkFixture.time, input: Array("{}".utf8), deadline: 0, timeout: .milliseconds(20))
    }
    let invoke = try await fixture.worker.expect(.invoke)
    #expect(try await fixture.worker.expect(.cancel).id == invoke.id)
    await fixture.worker.send { session in
      [session.finish(invoke.id, .failure(WorkerError(.cancelled, "Given up.")))]
        .compactMap { $0 }
    }
    let error = await #expect(throws: WorkerError.self) { try await output.value }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test func `a flood of records is counted and dropped`() async throws {
    let fixture = try LinkFixture()
    try await fixture.run()
    let record = LogRecord(level: .info, message: "again").json
    for _ in 0..<20 {
      await fixture.worker.send { _ in
        Array(repeating: Frame(.log, body: record), count: 100) + [Frame(.heartbeat)]
      }
    }
    for _ in 0..<20 { #expect(await fixture.report() == .alive) }
    fixture.end()
    let taken = fixture.said.all.count { $0 == "again" }
    let dropped = fixture.said.all.compactMap { words in
      words.contains("were dropped") ? words.split(separator: " ").first.flatMap { Int($0) } : nil
    }
    // How many are dropped depends on how fast they came; each is taken or counted.
    #expect(taken >= 500)
    #expect(taken + dropped.reduce(0, +) == 2000)
  }

  @Test func `an invalid frame is a breach`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    await fixture.worker.sendBytes([0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3])
    guard case .breach(let reason) = await fixture.report() else {
      Issue.record("It wasn't noticed.")
      return
    }
    #expect(reason.contains("4294967295") || reason.contains("4,294,967,295"))
  }

  @Test func `spending credit that wasn't granted is a breach`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    let batch = "[" + Array(repeating: #"{"type":"t"}"#, count: 1025).joined(separator: ",") + "]"
    await fixture.worker.send { _ in [Frame(.publish, body: Array(batch.utf8))] }
    guard case .breach(let reason) = await fixture.report() else {
      Issue.record("It wasn't noticed.")
      return
    }
    #expect(reason.contains("1025"))
  }

  @Test func `a worker's end ends its calls and subscriptions`() async throws {
    let fixture = try LinkFixture()
    try await fixture.run()
    await fixture.worker.send { _ in
      [Frame(.subscribe, id: 7, body: Subscribe(query: "tick").json)]
    }
    _ = try await fixture.worker.expect(.reply)
    let link = fixture.link
    let output = Task {
      try await link.invoke(LinkFixture.time, input: Array("{}".utf8), deadline: 0)
    }
    _ = try await fixture.worker.expect(.invoke)
    fixture.end()
    let error = await #expect(throws: WorkerError.self) { try await output.value }
    #expect(error?.code == .closed)
    #expect(fixture.events.counts.subscriptions == 0)
    #expect(await !fixture.link.isStarted())
    let late = await #expect(throws: WorkerError.self) {
      try await fixture.link.invoke(LinkFixture.time, input: Array("{}".utf8), deadline: 0)
    }
    #expect(late?.code == .closed)
  }

  @Test func `the last started of a process's two workers writes its state`() async throws {
    let state = try await StateFixture()
    let old = try LinkFixture(state: state.service)
    defer { old.end() }
    try await old.run()
    #expect(try await write(1, by: old) == .reply)
    let new = try LinkFixture(succeeding: old, state: state.service)
    defer { new.end() }
    _ = try await new.worker.expect(.load)
    _ = try await new.worker.expect(.configure)
    await new.worker.send { session in
      [
        session.hello(Hello(protocols: 1...1, abi: 1, toolchain: "", pid: getpid())),
        session.loaded(1, LinkFixture.loaded), session.ready(2),
      ]
    }
    #expect(await new.report() == .ready)
    #expect(try await write(2, by: new) == .error)
    #expect(try await write(3, by: old) == .reply)
    new.link.start()
    try await new.worker.start()
    #expect(await new.report() == .started)
    #expect(try await write(4, by: old) == .error)
    #expect(try await write(5, by: new) == .reply)
    let answer = try await state.call(
      "get", #"{"keys":["n"]}"#, from: ServiceCaller("p", module: "m")
    ).get()
    #expect(answer["entries"]?[0]?["value"] == 5)
    await state.end()
  }

  /// The op of the answer to a write.
  private func write(_ n: Int, by fixture: LinkFixture) async throws -> Op? {
    let input = Array(#"{"changes":[{"key":"n","value":\#(n)}]}"#.utf8)
    let call = Call(service: "state/1", method: "write", input: input)
    await fixture.worker.send { _ in [Frame(.call, id: UInt32(100 + n), body: call.json)] }
    return try await fixture.worker.frame().op
  }

  @Test func `an unknown service is named in the refusal`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    let call = Call(service: "tides/1", method: "next", input: Array("null".utf8))
    await fixture.worker.send { _ in [Frame(.call, id: 9, body: call.json)] }
    let answer = try await fixture.worker.expect(.error)
    let error = try WorkerError(json: answer.body)
    #expect(error.code == .unsupported)
    #expect(error.message.contains("\"tides/1\""))
  }
}
