import AgentJSON
import AgentWorkerProtocol
import TestSupport
import Testing

/// Random bytes, and real conversations with some bytes changed: nothing may trap.
@Suite struct MutationTests {
  private static let conversation: [Frame] = {
    let name = ContributionName(.monitor, "m")
    return [
      Frame(.hello, body: Hello(protocols: 1...1, abi: 1, toolchain: "t", pid: 5).json),
      Frame(
        .load, id: 1,
        body: Load(
          module: "m", version: "1", directory: "/", library: "/l", functions: Array("{}".utf8),
          sandbox: SandboxRequest(read: ["/a"]), limits: ResourceLimits(files: 5), hostVersion: "1"
        ).json),
      Frame(
        .loaded, id: 1, body: Loaded(abi: 1, name: "m", version: "1", contributions: [name]).json),
      Frame(
        .configure, id: 2,
        body: Configure(contribution: name, process: "p", settings: Array("{}".utf8)).json),
      Frame(.ready, id: 2, body: Array("{}".utf8)), Frame(.start, id: 3, body: name.json),
      Frame(.reply, id: 3), Frame(.credit, body: Credit(count: 9).json),
      Frame(.publish, body: Array("[{}]".utf8)),
      Frame(.subscribe, id: 4, body: Subscribe(query: "q", windowMilliseconds: 5).json),
      Frame(.credit, id: 4, body: Credit(count: .max).json),
      Frame(.event, id: 4, body: EventBatch(joining: [Array("{}".utf8)], dropped: 2).json),
      Frame(.invoke, id: 5, body: Invoke(contribution: name, input: [0x31], deadline: 5).json),
      Frame(.part, id: 5, body: Part(sequence: 0, value: [0x31]).json), Frame(.cancel, id: 5),
      Frame(.error, id: 5, body: WorkerError(.failed, "no", cause: "c").json),
      Frame(.call, id: 6, body: Call(service: "s", method: "m", input: [0x31]).json),
      Frame(.ended, body: Ended(contribution: name, status: .failed, message: "x").json),
      Frame(.log, body: LogRecord(level: .info, message: "x").json), Frame(.heartbeat),
      Frame(.stop, id: 7, body: Stop(deadlineMilliseconds: 9).json),
    ]
  }()

  /// Feeds bytes to both sides, answering the host's own requests so that it gets anywhere.
  private func feed(_ bytes: [UInt8]) {
    var decoder = FrameDecoder()
    var host = HostSession()
    var worker = WorkerSession()
    decoder.append(bytes)
    while let frame = try? decoder.next() {
      _ = worker.receive(frame)
      for action in host.receive(frame) {
        switch action {
        case .hello:
          _ = host.load(Load(module: "m", version: "1", directory: "/", hostVersion: "1"))
        case .loaded:
          let name = ContributionName(.monitor, "m")
          _ = host.configure([Configure(contribution: name, process: "p", settings: [])])
        case .ready: _ = host.start()
        case .published(let document): _ = host.returnPublishCredit(document.root.count)
        case .publishedInParts(let parts, let tooLong):
          _ = host.returnPublishCredit(tooLong.count)
          for part in parts { _ = host.receive(part) }
        case .credited(let id, _): _ = host.deliver(id, events: [Array("{}".utf8)])
        default: break
        }
      }
    }
  }

  @Test func `random bytes never trap`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      feed(
        (0..<Int.random(in: 0...200, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
    }
  }

  @Test func `a conversation with changed bytes never traps`() {
    var random = SeededGenerator(seed: 2)
    var bytes: [UInt8] = []
    for frame in Self.conversation { FrameEncoder.append(frame, to: &bytes) }
    feed(bytes)
    for _ in 0..<500 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<mutated.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: mutated[place] = UInt8.random(in: 0...255, using: &random)
        case 1: mutated[place] = UInt8(ascii: "9")
        case 2: mutated.remove(at: place)
        default: mutated.insert(UInt8(ascii: "9"), at: place)
        }
      }
      feed(mutated)
    }
  }

  @Test func `bodies with changed bytes never trap`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<40 {
      var bytes: [UInt8] = []
      for var frame in Self.conversation {
        if !frame.body.isEmpty {
          frame.body[Int.random(in: 0..<frame.body.count, using: &random)] =
            Array(#"019-"{}[]:,xe"#.utf8).randomElement(using: &random) ?? 0
        }
        FrameEncoder.append(frame, to: &bytes)
      }
      feed(bytes)
    }
  }
}
