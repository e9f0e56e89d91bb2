import AgentWorkerProtocol
import Testing

@Suite struct HostSessionTests {
  private let source = ContributionName(.datasource, "ticker")

  /// A session whose worker is at work.
  private func running(window: Int = 8) throws -> HostSession {
    var host = HostSession(publishWindow: window)
    var worker = WorkerSession()
    let hello = Hello(protocols: 1...1, abi: 1, toolchain: "", pid: 5)
    #expect(host.receive(worker.hello(hello)).breach == nil)
    let loaded = Loaded(abi: 1, name: "m", version: "1", contributions: [source])
    for frame in host.load(Load(module: "m", version: "1", directory: "/m", hostVersion: "1"))
      .frames
    {
      guard case .load(let id, _)? = worker.receive(frame).first else { throw Unexpected() }
      #expect(host.receive(worker.loaded(id, loaded)).breach == nil)
    }
    let configure = Configure(contribution: source, process: "p", settings: Array("{}".utf8))
    for frame in host.configure([configure]).frames {
      guard case .configure(let id, configure)? = worker.receive(frame).first else {
        throw Unexpected()
      }
      #expect(host.receive(worker.ready(id)).breach == nil)
    }
    for frame in host.start().frames where frame.op == .start {
      #expect(host.receive(worker.reply(frame.id)).breach == nil)
    }
    #expect(host.state == .running)
    return host
  }

  @Test func `the handshake ends in running`() throws {
    _ = try running()
  }

  @Test func `LOAD may be sent once, also before HELLO has come`() throws {
    var host = HostSession()
    var worker = WorkerSession()
    let load = Load(module: "m", version: "1", directory: "/m", hostVersion: "1")
    let ahead = host.loadAhead(load).frames
    #expect(ahead.map(\.op) == [.load])
    #expect(host.loadAhead(load).isEmpty)
    let hello = Hello(protocols: 1...1, abi: 1, toolchain: "", pid: 5)
    #expect(host.receive(worker.hello(hello)).breach == nil)
    #expect(host.load(load).isEmpty)
    guard case .load(let id, _)? = worker.receive(ahead[0]).first else { throw Unexpected() }
    let loaded = Loaded(abi: 1, name: "m", version: "1", contributions: [source])
    #expect(host.receive(worker.loaded(id, loaded)).breach == nil)
    #expect(host.state == .loaded)
  }

  @Test func `CONFIGURE may follow LOAD at once, and READY may come with LOADED`() throws {
    var host = HostSession()
    var worker = WorkerSession()
    let load = Load(module: "m", version: "1", directory: "/m", hostVersion: "1")
    let configure = Configure(contribution: source, process: "p", settings: Array("{}".utf8))
    let ahead = host.loadAhead(load, then: [configure]).frames
    #expect(ahead.map(\.op) == [.load, .configure])
    #expect(
      host.receive(worker.hello(Hello(protocols: 1...1, abi: 1, toolchain: "", pid: 5))).breach
        == nil)
    // The worker reads on while its module is being loaded.
    guard case .load(let id, _)? = worker.receive(ahead[0]).first,
      case .configure(let configureID, configure)? = worker.receive(ahead[1]).first
    else { throw Unexpected() }
    let loaded = Loaded(abi: 1, name: "m", version: "1", contributions: [source])
    guard case .loaded(loaded)? = host.receive(worker.loaded(id, loaded)).first,
      case .ready? = host.receive(worker.ready(configureID)).first
    else { throw Unexpected() }
    #expect(host.configure([configure]).isEmpty)
    #expect(host.start().frames.map(\.op) == [.start, .credit])
  }

  @Test func `a module without configuration is ready with LOADED`() throws {
    var host = HostSession()
    var worker = WorkerSession()
    _ = host.receive(worker.hello(Hello(protocols: 1...1, abi: 1, toolchain: "", pid: 5)))
    let load = Load(module: "m", version: "1", directory: "/m", hostVersion: "1")
    let frame = try #require(host.load(load, then: []).frames.first)
    guard case .load(let id, _)? = worker.receive(frame).first else { throw Unexpected() }
    let loaded = Loaded(abi: 1, name: "m", version: "1", contributions: [])
    let actions = host.receive(worker.loaded(id, loaded))
    guard actions.count == 2, case .loaded(loaded) = actions[0], case .ready = actions[1] else {
      throw Unexpected()
    }
  }

  @Test func `an answer to LOAD before HELLO is a breach`() throws {
    var host = HostSession()
    var worker = WorkerSession()
    _ = worker.hello(Hello(protocols: 1...1, abi: 1, toolchain: "", pid: 5))
    let load = Load(module: "m", version: "1", directory: "/m", hostVersion: "1")
    guard
      case .load(let id, _)? = worker.receive(try #require(host.loadAhead(load).frames.first))
        .first
    else { throw Unexpected() }
    let loaded = Loaded(abi: 1, name: "m", version: "1", contributions: [source])
    #expect(host.receive(worker.loaded(id, loaded)).breach != nil)
  }

  @Test func `a refusing worker can be stopped, and its refusal is reported once`() throws {
    var host = HostSession()
    let hello = Hello(protocols: 1...1, abi: 1, toolchain: "", pid: 5)
    _ = host.receive(WorkerSession().hello(hello))
    let load = host.load(Load(module: "m", version: "1", directory: "/m", hostVersion: "1")).frames
    let refusal = WorkerError(.failed, "No.")
    let id = try #require(load.first?.id)
    let actions = host.receive(Frame(.error, id: id, body: refusal.json))
    guard case .refused(.load, refusal)? = actions.first else { throw Unexpected() }
    let stop = host.stop(deadlineMilliseconds: 5).frames
    #expect(stop.map(\.op) == [.stop])
    guard case .stopped? = host.receive(Frame(.reply, id: stop.first?.id ?? 0)).first else {
      throw Unexpected()
    }
  }

  @Test func `an unknown op is answered and otherwise ignored`() throws {
    var host = try running()
    let answer = host.receive(Frame(code: 77, id: 9, body: [], descriptor: false)).frames
    #expect(answer.map(\.op) == [.error])
    #expect(answer.map(\.id) == [9])
    #expect(try WorkerError(json: answer.first?.body ?? []).code == .unsupported)
    #expect(host.state == .running)
  }

  @Test(arguments: [
    Frame(.hello, body: Array("{}".utf8)), Frame(.reply, id: 99), Frame(.error, id: 99),
    Frame(.part, id: 99, body: Array(#"{"sequence":0,"value":1}"#.utf8)),
    Frame(.publish, body: Array("[1]".utf8)), Frame(.publish, body: Array("[{]".utf8)),
    Frame(.subscribe, id: 1, body: Array("{}".utf8)), Frame(.log, body: [0xFF]),
    Frame(.invoke, id: 1, body: []), Frame(.call, id: 0, body: Array("{}".utf8)),
    Frame(.log, body: Array(#"{"bytes":99}"#.utf8), descriptor: true),
  ])
  func `a frame that isn't allowed is a breach and ends the session`(frame: Frame) throws {
    var host = try running()
    let reason = try #require(host.receive(frame).breach)
    #expect(reason.contains(frame.name))
    #expect(host.state == .broken)
    #expect(host.receive(Frame(.heartbeat)).isEmpty)
    #expect(host.ping().isEmpty)
  }

  @Test func `publishing beyond the credit is a breach with both numbers`() throws {
    var host = try running(window: 4)
    let three = Frame(.publish, body: Array("[{},{},{}]".utf8))
    #expect(host.receive(three).breach == nil)
    #expect(host.receive(three).breach?.contains("3 events; 1 were granted") == true)
  }

  @Test func `credit is returned in portions`() throws {
    var host = try running(window: 8)
    #expect(host.returnPublishCredit(1).isEmpty)
    let frames = host.returnPublishCredit(1).frames
    #expect(try frames.map { try Credit(json: $0.body).count } == [2])
  }

  @Test func `a call gets its parts in order and one end`() throws {
    var host = try running()
    let call = host.invoke(Invoke(contribution: source, input: Array("1".utf8)))
    let id = try #require(call?.id)
    #expect(host.openCalls == [id])
    let part = Part(sequence: 0, value: Array("2".utf8))
    guard case .part(id, part.value)? = host.receive(Frame(.part, id: id, body: part.json)).first
    else { throw Unexpected() }
    guard
      case .finished(id, .success(let result))? = host.receive(
        Frame(.reply, id: id, body: Array("3".utf8))
      ).first
    else { throw Unexpected() }
    #expect(result == Array("3".utf8))
    #expect(host.openCalls.isEmpty)
    #expect(host.receive(Frame(.reply, id: id)).breach != nil)
  }

  @Test func `events are sent only within the subscriber's credit`() throws {
    var host = try running()
    let body = Subscribe(query: "type:a").json
    guard case .subscribe(5, _)? = host.receive(Frame(.subscribe, id: 5, body: body)).first else {
      throw Unexpected()
    }
    let events = [Array("{}".utf8), Array("{}".utf8)]
    #expect(host.deliver(5, events: events).isEmpty)
    _ = host.receive(Frame(.credit, id: 5, body: Credit(count: 3).json))
    let frame = try #require(host.deliver(5, events: events, dropped: 4).frames.first)
    #expect(frame.body == Array(#"{"events":[{},{}],"dropped":4}"#.utf8))
    #expect(host.credit(of: 5) == 1)
    #expect(host.deliver(5, events: events).isEmpty)
  }

  @Test func `credit reports what a durable consumer has handled`() throws {
    var host = try running()
    let body = Subscribe(query: "a", consumer: "c").json
    _ = host.receive(Frame(.subscribe, id: 5, body: body))
    let credit = Frame(.credit, id: 5, body: Credit(count: 3, dealtWith: 2).json)
    guard case .credited(5, dealtWith: 2)? = host.receive(credit).first else {
      throw Unexpected()
    }
  }

  @Test func `an ended subscription needs no more frames`() throws {
    var host = try running()
    _ = host.receive(Frame(.subscribe, id: 5, body: Subscribe(query: "a", span: "now").json))
    let frame = try #require(host.deliver(5, events: [], isLast: true).frames.first)
    #expect(frame.body == Array(#"{"events":[],"dropped":0,"ended":true}"#.utf8))
    #expect(host.receive(Frame(.credit, id: 5, body: Credit(count: 1).json)).isEmpty)
    #expect(host.receive(Frame(.unsubscribe, id: 5)).isEmpty)
  }

  @Test func `refused settings are reported with the worker's reason`() throws {
    var host = HostSession()
    _ = host.receive(
      Frame(.hello, body: Hello(protocols: 1...2, abi: 1, toolchain: "", pid: 5).json))
    let frame = try #require(
      host.load(Load(module: "m", version: "1", directory: "/m", hostVersion: "1")).frames.first)
    let error = WorkerError(.failed, "The library is missing.", cause: "ENOENT")
    guard
      case .refused(.load, error)? = host.receive(
        Frame(.error, id: frame.id, body: error.json)
      ).first
    else { throw Unexpected() }
  }

  @Test func `a worker of another protocol is refused with both versions`() {
    var host = HostSession()
    let hello = Hello(protocols: 3...4, abi: 1, toolchain: "", pid: 5)
    #expect(host.receive(Frame(.hello, body: hello.json)).breach?.contains("3 to 4") == true)
  }

  @Test func `open requests are bounded`() throws {
    var host = try running()
    let body = Call(service: "events/1", method: "query", input: Array("{}".utf8)).json
    for id in 1...UInt32(HostSession.maxOpenCalls) {
      #expect(host.receive(Frame(.call, id: id, body: body)).breach == nil)
    }
    #expect(host.receive(Frame(.call, id: 5000, body: body)).breach != nil)
  }
}
