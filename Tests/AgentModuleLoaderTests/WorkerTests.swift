import AgentJSON
import AgentWorkerProtocol
import Glibc
import Testing

@Suite(.serialized) struct WorkerTests {
  private let probe = ContributionName(.action, "probe")

  @Test func `a worker shakes hands, answers a call and a ping, and stops`() throws {
    let worker = try WorkerProcess()
    let loaded = try worker.load(library: FixtureBuilder.module())
    #expect(loaded.name == "misbehaving")
    #expect(loaded.contributions.contains(probe))
    #expect(loaded.sandbox != .none)
    try worker.start(probe)
    #expect(try worker.attempt("nothing much") == 0)
    worker.perform(worker.session.ping())
    try worker.expect { if case .pong = $0 { true } else { nil } }
    worker.perform(worker.session.stop(deadlineMilliseconds: 1000))
    try worker.expect { if case .stopped = $0 { true } else { nil } }
    #expect(worker.wait() == 0)
  }

  @Test func `a module's large answers, parts, double ends and invalid calls are handled`() throws {
    let worker = try WorkerProcess()
    _ = try worker.load(library: FixtureBuilder.module())
    try worker.start(probe)
    #expect(try worker.call("probe", #"{"try":"large"}"#).get().count == 3 << 20)
    #expect(try worker.call("probe", #"{"try":"twice"}"#).get() == Array("1".utf8))
    guard case .failure(let error) = try worker.call("probe", #"{"try":"not-json"}"#) else {
      return #expect(Bool(false), "text that isn't JSON came through")
    }
    #expect(error.code == .failed)
    #expect(try worker.attempt("parts") == 0)
  }

  @Test(arguments: [
    ("socket", EPERM), ("unix-socket", EPERM), ("socketpair", 0), ("fork", EPERM), ("exec", EPERM),
    ("kill-parent", EPERM), ("kill-self", 0), ("read /etc/passwd", EACCES),
    ("read /etc/hosts", 0), ("read /proc/self/status", 0), ("write /tmp/agent-escaped", EACCES),
    ("write /dev/null", 0),
  ])
  func `the sandbox contains the worker`(attempt: String, expected: Int32) throws {
    let worker = try WorkerProcess()
    let loaded = try worker.load(library: FixtureBuilder.module())
    try worker.start(probe)
    // Without landlock the kernel can't keep files; LOADED must say so.
    if loaded.sandbox != .full, expected == EACCES { return }
    #expect(try worker.attempt(attempt) == Int(expected))
  }

  @Test func `permissions open the sandbox as declared, and limits hold`() throws {
    let worker = try WorkerProcess()
    let written = "\(FixtureBuilder.folder)/written"
    mkdir(written, 0o700)
    let request = SandboxRequest(
      read: ["/etc/passwd"], write: [written], run: ["/usr/bin/true"], network: .any)
    _ = try worker.load(
      library: FixtureBuilder.module(), sandbox: request, limits: ResourceLimits(files: 40))
    try worker.start(probe)
    for attempt in ["read /etc/passwd", "socket", "fork", "write \(written)/file"] {
      #expect(try worker.attempt(attempt) == 0, "\(attempt)")
    }
    #expect(try worker.attempt("limit") == 40)
  }

  @Test func `functions are called in the worker`() throws {
    let worker = try WorkerProcess()
    let loaded = try worker.load(
      functions:
        #"{"cos": {"library": "libm.so.6", "returns": "double", "parameters": [{"name": "x", "type": "double"}]}}"#
    )
    #expect(loaded.contributions == [ContributionName(.action, "cos")])
    try worker.start(ContributionName(.action, "cos"))
    #expect(try worker.call("cos", #"{"x":0}"#).get() == Array(#"{"result":1.0}"#.utf8))
  }

  @Test(arguments: [
    ("segv", SIGSEGV), ("trap", SIGILL), ("abort", SIGABRT), ("overflow", SIGSEGV),
  ])
  func `a crash leaves a report and keeps its signal`(mode: String, signal: Int32) throws {
    let worker = try WorkerProcess()
    try worker.misbehave(mode)
    while try worker.next({ _ in nil as Bool? }) != nil {}
    #expect(worker.wait() & 0x7F == signal)
    let report = try worker.crashReport()
    #expect(report["signal"]?.int == Int(signal))
    #expect((report["pcs"]?.array?.count ?? 0) > 2)
    let images = report["images"]?.array ?? []
    let module = images.first { $0["path"]?.string?.hasSuffix("/libmisbehaving.so") == true }
    #expect(module?["build_id"]?.string?.isEmpty == false)
    if mode == "segv" { #expect(report["address"]?.string == "0x8") }
  }

  @Test func `a worker with very many libraries reports the module's library among them`() throws {
    let tiny = try FixtureBuilder.library("functions.c", "tiny")
    let crowd = "\(FixtureBuilder.folder)/crowd"
    mkdir(crowd, 0o700)
    let bytes = try #require(contents(of: tiny))
    // More text than the report has space for.
    for number in 0..<250 {
      let name = String(repeating: "long", count: 50) + "-\(number).so"
      let file = open("\(crowd)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      #expect(write(file, bytes, bytes.count) == bytes.count)
      close(file)
    }
    let worker = try WorkerProcess()
    try worker.misbehave("segv", library: FixtureBuilder.module("CROWDED"))
    while try worker.next({ _ in nil as Bool? }) != nil {}
    #expect(worker.wait() & 0x7F == SIGSEGV)
    let report = try worker.crashReport()
    let images = report["images"]?.array ?? []
    #expect(images.count > 100 && images.count < 250)
    let own = images.first { $0["path"]?.string?.hasSuffix("/libmisbehavingCROWDED.so") == true }
    let base = try #require(address(own?["base"]))
    let counter = try #require(address(report["pcs"]?.array?.first))
    #expect(counter > base && counter < base + 1 << 20)
  }

  private func address(_ value: JSONValue?) -> UInt64? {
    value?.string.flatMap { UInt64($0.dropFirst(2), radix: 16) }
  }

  private func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  @Test func `work that ends by itself is reported`() throws {
    let worker = try WorkerProcess()
    try worker.misbehave("end")
    let ended = try worker.next { if case .endedByItself(let ended) = $0 { ended } else { nil } }
    #expect(ended?.status == .failed)
    #expect(ended?.message == "Nothing to do.")
  }

  @Test func `a fork is refused and the module continues`() throws {
    let worker = try WorkerProcess()
    try worker.misbehave("fork")
    let records = try worker.next { action -> String? in
      guard case .log(let record) = action, record.message != "started" else { return nil }
      return record.message
    }
    #expect(records == "Operation not permitted")
  }

  @Test func `an invalid frame from a module is a breach`() throws {
    let worker = try WorkerProcess()
    try worker.misbehave("huge-length")
    #expect(throws: WorkerProtocolError.self) {
      while try worker.next({ _ in nil as Bool? }) != nil {}
    }
  }

  @Test func `events are bounded by credit`() throws {
    let worker = try WorkerProcess()
    worker.session = HostSession(publishWindow: 10)
    try worker.misbehave("flood-events")
    var count = 0
    while count < 30 {
      let events = try worker.next { if case .published(let events) = $0 { events } else { nil } }
      let batch = try #require(events).root.count
      count += batch
      worker.perform(worker.session.returnPublishCredit(batch))
    }
    #expect(worker.session.state != .broken)
  }

  @Test func `a module that keeps publishing doesn't delay the end`() throws {
    let worker = try WorkerProcess()
    try worker.misbehave("flood-log")
    try worker.expect { if case .started = $0 { true } else { nil } }
    worker.perform(worker.session.stop(deadlineMilliseconds: 1000))
    while try worker.next({ _ in nil as Bool? }) != nil {}
    #expect(worker.wait() == 0)
    #expect(worker.session.state == .ended)
  }

  @Test func `a subscription is closed before its contribution is destroyed, and gets no more`()
    throws
  {
    let worker = try WorkerProcess()
    _ = try worker.load(library: FixtureBuilder.module())
    let configure = Configure(
      contribution: ContributionName(.monitor, "watch"), process: "test", settings: Array("{}".utf8)
    )
    worker.perform(worker.session.configure([configure]))
    try worker.expect { if case .ready = $0 { true } else { nil } }
    worker.perform(worker.session.start())
    let subscription = try worker.next { action -> UInt32? in
      if case .subscribe(let id, _) = action { id } else { nil }
    }
    let id = try #require(subscription)
    worker.perform(worker.session.reply(id))
    try worker.expect { if case .started = $0 { true } else { nil } }
    worker.perform(worker.session.stop(deadlineMilliseconds: 1000))
    // Lies in the socket when the module stops.
    worker.send(Frame(.event, id: id, body: EventBatch(joining: [Array("{}".utf8)]).json))
    // The module publishes what it gets, which it may do until it is destroyed.
    var said: [String] = []
    let end = try worker.next { action -> Bool? in
      if case .log(let record) = action { said.append(record.message) }
      if case .published = action { said.append("published") }
      return nil
    }
    #expect(end == nil)
    #expect(said.last == "subscription closed by the host")
    #expect(said.count { $0 != "published" } == 1)
    #expect(worker.wait() == 0)
  }

  @Test func `the record of the sandbox is written before the library's code runs`() throws {
    for request in [SandboxRequest(), SandboxRequest(level: .off)] {
      let worker = try WorkerProcess()
      let loaded = try worker.load(
        library: FixtureBuilder.module("SPEAKS_AT_ONCE"), sandbox: request)
      let written = try worker.crashText()
      #expect(written.utf8.count == 1024 + 5)
      #expect(written.hasSuffix("  mine\n"))
      #expect(written.hasPrefix(#"{"sandbox":"\#(loaded.sandbox.rawValue)""#))
      #expect((loaded.sandbox == .none) == (request.level == .off))
    }
  }

  @Test func `a refused library is reported with the remedy`() throws {
    let worker = try WorkerProcess()
    let error = try #require(throws: WorkerError.self) {
      try worker.load(library: FixtureBuilder.module("ABI=3"))
    }
    #expect(error.message.contains("speaks ABI 3"))
    worker.perform(worker.session.stop(deadlineMilliseconds: 1000))
    try worker.expect { if case .stopped = $0 { true } else { nil } }
    #expect(worker.wait() == 0)
  }

  @Test(arguments: [false, true])
  func `every STOP that reaches a worker is answered, also by a spare`(isLoaded: Bool) throws {
    for _ in 0..<5 {
      let worker = try WorkerProcess()
      if isLoaded {
        _ = try worker.load(library: FixtureBuilder.module())
      } else {
        try worker.expect { if case .hello = $0 { true } else { nil } }
      }
      let stop = Stop(deadlineMilliseconds: 1000).json
      let sent = (90..<1000 as Range<UInt32>).prefix {
        worker.send(Frame(.stop, id: $0, body: stop))
      }
      let answers = try worker.rest()
      #expect(answers.allSatisfy { $0.op == .reply })
      #expect(answers.map(\.id) == Array(sent))
      #expect(worker.wait() == 0)
    }
  }

  @Test func `messages name the library by its original path`() throws {
    let missing = "\(FixtureBuilder.folder)/copies/libgone.so"
    let error = try #require(throws: WorkerError.self) {
      try WorkerProcess().load(library: missing, origin: "/agent/modules/m/libgone.so")
    }
    #expect(error.message.contains("\"/agent/modules/m/libgone.so\""))
    #expect(!"\(error)".contains("copies"))
  }

  @Test func `a worker whose host closes the socket exits, and so does a spare`() throws {
    let spare = try WorkerProcess()
    try spare.expect { if case .hello = $0 { true } else { nil } }
    spare.closeSocket()
    #expect(spare.wait() == 0)
    let busy = try WorkerProcess()
    try busy.misbehave("spin")
    busy.closeSocket()
    #expect(busy.wait() == 0)
  }

  @Test func `a stuck module answers no ping, while its reader continues`() throws {
    let worker = try WorkerProcess()
    try worker.misbehave("spin")
    worker.perform(worker.session.ping())
    worker.send(Frame(code: 99, id: 0, body: [], descriptor: false))
    let first = try worker.next { action -> String? in
      switch action {
      case .pong: "pong"
      case .log(let record) where record.level == .error: record.message
      default: nil
      }
    }
    #expect(first?.contains("op 99") == true)
  }
}
