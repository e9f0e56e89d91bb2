import AgentWorkerProtocol
import Testing

@Suite struct WorkerSessionTests {
  private func loaded() -> WorkerSession {
    var worker = WorkerSession()
    let load = Load(module: "m", version: "1", directory: "/m", hostVersion: "1")
    _ = worker.receive(Frame(.load, id: 1, body: load.json))
    _ = worker.loaded(1, Loaded(abi: 1, name: "m", version: "1", contributions: []))
    return worker
  }

  private func grant(_ count: Int, to worker: inout WorkerSession) -> [WorkerAction] {
    worker.receive(Frame(.credit, body: Credit(count: count).json))
  }

  @Test func `a wrong frame from the host is answered and is never fatal`() throws {
    var worker = loaded()
    for frame in [
      Frame(.invoke, id: 2, body: [1]), Frame(.configure, id: 2, body: Array("{}".utf8)),
      Frame(.load, id: 2, body: Array("{}".utf8)),
      Frame(code: 60, id: 2, body: [], descriptor: false),
    ] {
      guard case .send(let answer)? = worker.receive(frame).first else { throw Unexpected() }
      #expect(answer.op == .error)
      #expect(answer.id == 2)
    }
  }

  @Test func `events wait for credit, are sent in pieces and in order, and are then accepted`()
    throws
  {
    var worker = loaded()
    let three = Array(#"[{"n":1},{"n":2},{"n":3}]"#.utf8)
    #expect(worker.publish(three, token: nil) == .refused(.overloaded))
    #expect(worker.publish(three, token: 1) == .waiting([]))
    #expect(worker.publish(Array(#"{"n":4}"#.utf8), token: 2) == .waiting([]))
    var sent: [String] = []
    var accepted: [UInt64] = []
    for credit in [2, 2] {
      for action in grant(credit, to: &worker) {
        switch action {
        case .send(let frame): sent.append(String(decoding: frame.body, as: UTF8.self))
        case .accepted(let tokens, .ok): accepted += tokens
        default: throw Unexpected()
        }
      }
    }
    #expect(sent == [#"[{"n":1},{"n":2}]"#, #"[{"n":3}]"#, #"[{"n":4}]"#])
    #expect(accepted == [1, 2])
  }

  @Test func `a batch beyond the credit is sent at once as far as the credit reaches`() throws {
    var worker = loaded()
    _ = grant(2, to: &worker)
    let three = Array(#"[{"n":1},{"n":2},{"n":3}]"#.utf8)
    guard case .waiting(let frames) = worker.publish(three, token: 1) else { throw Unexpected() }
    #expect(frames.map { String(decoding: $0.body, as: UTF8.self) } == [#"[{"n":1},{"n":2}]"#])
    guard case .send(let rest)? = grant(2, to: &worker).first else { throw Unexpected() }
    #expect(String(decoding: rest.body, as: UTF8.self) == #"[{"n":3}]"#)
  }

  @Test func `a publication larger than the queue waits when nothing else does`() throws {
    var worker = loaded()
    let event = #"{"text":""# + String(repeating: "x", count: 1_000_000) + #""}"#
    let ten = Array(("[" + Array(repeating: event, count: 10).joined(separator: ",") + "]").utf8)
    #expect(worker.publish(ten, token: 1) == .waiting([]))
    #expect(worker.publish(Array("{}".utf8), token: 2) == .refused(.overloaded))
    let actions = grant(10, to: &worker)
    #expect(actions.count == 11)
    guard case .accepted([1], .ok)? = actions.last else { throw Unexpected() }
    #expect(worker.publish(Array("{}".utf8), token: 2) == .waiting([]))
  }

  @Test(arguments: ["", "1", "[1]", "{", "[{},2]"])
  func `only objects are accepted as events`(text: String) {
    var worker = loaded()
    _ = grant(10, to: &worker)
    #expect(worker.publish(Array(text.utf8), token: nil) == .refused(.invalidArgument))
  }

  @Test func `a subscription grants credit, returns it and ends silently`() throws {
    var worker = loaded()
    let (id, frames) = worker.subscribe(Subscribe(query: "type:a"))
    #expect(frames.map(\.op) == [.subscribe, .credit])
    let batch = EventBatch(joining: [Array("{}".utf8)])
    guard case .events(id, batch)? = worker.receive(Frame(.event, id: id, body: batch.json)).first
    else { throw Unexpected() }
    #expect(worker.acknowledge(id, 1) == nil)
    #expect(try worker.acknowledge(id, 63).map { try Credit(json: $0.body).count } == 64)
    #expect(worker.unsubscribe(id)?.op == .unsubscribe)
    #expect(worker.unsubscribe(id) == nil)
    #expect(worker.receive(Frame(.event, id: id, body: batch.json)).isEmpty)
  }

  @Test func `a durable consumer reports at once what it has handled`() throws {
    var worker = loaded()
    let (id, _) = worker.subscribe(Subscribe(query: "a", consumer: "c"))
    let frame = worker.acknowledge(id, 1)
    #expect(try Credit(json: frame?.body ?? []) == Credit(count: 1, dealtWith: 1))
  }

  @Test func `a subscription's last events end it`() throws {
    var worker = loaded()
    let (id, _) = worker.subscribe(Subscribe(query: "a", span: "now"))
    let batch = EventBatch(joining: [Array("{}".utf8)], isLast: true)
    let actions = worker.receive(Frame(.event, id: id, body: batch.json))
    guard case .events(id, batch) = actions.first,
      case .closed(id, WorkerError(.ok, "")) = actions.last
    else { throw Unexpected() }
    #expect(worker.unsubscribe(id) == nil)
  }

  @Test(arguments: [
    (#"{"query":"a","overflow":"drop"}"#, "drop_oldest, drop_newest, block, read_log"),
    (#"{"query":"a","span":"now","consumer":"c"}"#, "a \"consumer\" beside a \"span\""),
    (#"{"query":"a","consumer":"c","window_ms":5}"#, "a \"window_ms\" beside a \"consumer\""),
    (#"{"query":"a","consumer":"c","from":"start"}"#, "oldest, newest"),
  ])
  func `a contradictory subscription is refused`(body: String, words: String) throws {
    let error = #expect(throws: WorkerProtocolError.self) {
      try Subscribe(json: Array(body.utf8))
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `a call's end is sent once with nothing after it`() throws {
    var worker = loaded()
    let invoke = Invoke(contribution: ContributionName(.action, "a"), input: Array("[1]".utf8))
    guard case .invoke(4, invoke)? = worker.receive(Frame(.invoke, id: 4, body: invoke.json)).first
    else { throw Unexpected() }
    #expect(worker.part(4, Array("1".utf8))?.body == Array(#"{"sequence":0,"value":1}"#.utf8))
    #expect(worker.finish(4, .success([]))?.op == .reply)
    #expect(worker.finish(4, .success([])) == nil)
    #expect(worker.part(4, []) == nil)
  }

  @Test func `a second STOP is answered too`() throws {
    var worker = loaded()
    for id in [8, 9] as [UInt32] {
      let body = Stop(deadlineMilliseconds: 5).json
      guard
        case .stop(id, deadlineMilliseconds: 5)? =
          worker.receive(Frame(.stop, id: id, body: body)).first
      else { throw Unexpected() }
    }
    #expect(worker.stopped(8) == Frame(.reply, id: 8))
    #expect(worker.openStops == [9])
  }
}
