import AgentDiagnostics
import AgentJSON
import AgentWorkerProtocol
import CDescriptors
import Glibc
import TestSupport
import Testing

@testable import AgentDiagnostics
@testable import AgentWorkers

/// A worker that sends anything: frames, pieces of frames, descriptors of every kind, crash reports.
/// Whatever it is, the host's side refuses it or takes it, and holds neither descriptors nor memory
/// because of it.
///
/// In the suite a short run; `make fuzz` sets `FUZZ_STEPS` and `FUZZ_SEED`.
@Suite struct HostProtocolFuzz {
  @Test func `no frames of a worker end the host's side or accumulate there`() async {
    // A process of its own: others' descriptors and memory would be counted otherwise.
    let process = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      func number(_ name: String, _ usual: Int) -> Int {
        getenv(name).flatMap { Int(String(cString: $0)) } ?? usual
      }
      let steps = number("FUZZ_STEPS", 20_000)
      let seed = number("FUZZ_SEED", 1)
      print("fuzz: worker: \(steps) steps, seed \(seed)")
      var fuzzer = try HostFuzzer(seed: UInt64(clamping: seed))
      try fuzzer.run(steps: steps / 10)
      let (descriptors, memory) = (HostFuzzer.descriptors, HostFuzzer.memory)
      try fuzzer.run(steps: steps)
      fuzzer.end()
      #expect(HostFuzzer.descriptors <= descriptors)
      #expect(HostFuzzer.memory < memory + 300 << 20)
      print("fuzz: worker: \(fuzzer.frames) frames, \(fuzzer.breaches) breaches, ok")
      #expect(fuzzer.frames > steps / 10 && fuzzer.breaches > steps / 1000)
    }
    print(String(decoding: process?.standardOutputContent ?? [], as: UTF8.self))
  }
}

/// Plays worker and host on a socket, by numbers that a seed gives.
struct HostFuzzer {
  private(set) var frames = 0
  private(set) var breaches = 0
  private var random: SeededGenerator
  private var ends: [Int32] = [-1, -1]
  private var socket = WorkerSocket(-1)
  private var session = HostSession()
  private let files: [Int32]

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    var pipes: [Int32] = [-1, -1]
    try #require(pipe(&pipes) == 0)
    let text = Array(#"[{"type":"t"}]"#.utf8)
    let large = [UInt8](repeating: 0x20, count: 2 << 20)
    let sparse = memoryFile()
    try #require(ftruncate(sparse, 200 << 20) == 0 && fcntl(sparse, 1033, 0xF) == 0)
    files = [
      text.withUnsafeBytes { descriptors_seal($0.baseAddress, $0.count) },
      large.withUnsafeBytes { descriptors_seal($0.baseAddress, $0.count) },
      sparse, memoryFile(), open("/dev/zero", O_RDONLY), pipes[0], pipes[1],
    ]
    begin()
  }

  static var descriptors: Int {
    (0..<4096).count { fcntl($0, F_GETFD) >= 0 }
  }

  /// Resident memory in bytes.
  static var memory: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    fgets(&line, 256, file)
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      switch random.next() % 16 {
      case 0..<10: send(frame())
      case 10: send(bytes(40), file())
      case 11: send(changed(encoded(frame())))
      case 12: act()
      case 13: CrashReport(parsing: report()).map { _ = Symbols.frames(of: $0) }
      default: send(encoded(frame()).dropLast(Int(random.next() % 5)).map { $0 }, file())
      }
      read()
      if random.next() % 500 == 0 { restart() }
    }
  }

  mutating func end() {
    socket.release()
    for end in ends { close(end) }
    ends = [-1, -1]
  }

  // MARK: The connection

  private mutating func begin() {
    _ = Glibc.socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    socket = WorkerSocket(ends[0])
    session = HostSession()
    guard random.next() % 8 != 0 else { return }
    // Most get to work, since there is more to break.
    let name = ContributionName(.monitor, "m")
    send(Frame(.hello, body: Hello(protocols: 1...1, abi: 1, toolchain: "", pid: 1).json))
    read()
    send(
      Frame(
        .loaded, id: 1, body: Loaded(abi: 1, name: "m", version: "1", contributions: [name]).json))
    read()
    send(Frame(.ready, id: 2, body: Array("{}".utf8)))
    read()
    send(Frame(.reply, id: 3))
    read()
  }

  private mutating func restart() {
    end()
    begin()
  }

  /// The host's part: everything that came is seen to; what is sent is thrown away.
  private mutating func read() {
    // Some are read later, as the host does it with long ones.
    let readsUpTo = random.next() % 2 == 0 ? 0 : Int.max
    do {
      while try socket.read() > 0 {
        while let arrival = try socket.next(FrameBounds(), readsUpTo: readsUpTo) {
          frames += 1
          let actions =
            switch arrival {
            case .frame(let frame): session.receive(frame)
            case .unread(let frame, let body): session.receive(frame.resolving(try body.read()))
            case .excessive(let frame): session.receive(frame)
            }
          for action in actions { try perform(action) }
        }
        #expect(socket.descriptors <= 1)
      }
      try socket.flush()
    } catch {
      breaches += 1
      restart()
    }
    var waste = [UInt8](repeating: 0, count: 1 << 16)
    while recv(ends[1], &waste, waste.count, 0x40) > 0 {}
  }

  private mutating func perform(_ action: HostAction) throws {
    let name = ContributionName(.monitor, "m")
    switch action {
    case .hello:
      try enqueue(session.load(Load(module: "m", version: "1", directory: "/", hostVersion: "1")))
    case .loaded:
      let configure = Configure(contribution: name, process: "p", settings: Array("{}".utf8))
      try enqueue(session.configure([configure]))
    case .ready: try enqueue(session.start())
    case .published(let document):
      _ = document.root.elements.map(\.value)
      try enqueue(session.returnPublishCredit(document.root.count))
    case .publishedInParts(let parts, let tooLong):
      try enqueue(session.returnPublishCredit(tooLong.count))
      for part in parts { for action in session.receive(part) { try perform(action) } }
    case .subscribe(let id, _): try enqueue(session.reply(id))
    case .credited(let id, _): try enqueue(session.deliver(id, events: [Array("{}".utf8)]))
    case .call(let id, _): try enqueue(session.reply(id, Array("{}".utf8)))
    case .send(let frame): try socket.enqueue(frame)
    case .breach:
      breaches += 1
      throw WorkerSocket.Failure.closed
    default: break
    }
  }

  private mutating func enqueue(_ actions: [HostAction]) throws {
    for case .send(let frame) in actions { try socket.enqueue(frame) }
  }

  /// What the host does by itself.
  private mutating func act() {
    let name = ContributionName(.monitor, "m")
    switch random.next() % 4 {
    case 0: _ = session.invoke(Invoke(contribution: name, input: [0x31], deadline: 0))
    case 1: _ = session.ping()
    case 2: _ = session.stop(deadlineMilliseconds: 5)
    default: _ = session.cancel(UInt32(truncatingIfNeeded: random.next() % 12))
    }
  }

  // MARK: The worker's part

  private func send(_ frame: Frame) { send(encoded(frame), nil) }

  private func send(_ bytes: [UInt8], _ file: Int32? = nil) {
    guard !bytes.isEmpty else { return }
    _ = bytes.withUnsafeBytes { descriptors_send(ends[1], $0.baseAddress, $0.count, file ?? -1) }
  }

  private func encoded(_ frame: Frame) -> [UInt8] {
    var bytes: [UInt8] = []
    FrameEncoder.append(frame, to: &bytes)
    return bytes
  }

  private mutating func file() -> Int32? {
    random.next() % 2 == 0 ? files[Int(random.next() % UInt64(files.count))] : nil
  }

  private mutating func frame() -> Frame {
    let code = UInt8(truncatingIfNeeded: random.next() % 26)
    let id = UInt32(truncatingIfNeeded: random.next() % 12)
    let isBeside = random.next() % 12 == 0
    let body = random.next() % 4 == 0 ? text() : usual(code)
    return Frame(code: code, id: id, body: body, descriptor: isBeside)
  }

  /// A body as its kind has it, with numbers that may be anything.
  private mutating func usual(_ code: UInt8) -> [UInt8] {
    let n = number()
    let text =
      switch Op(rawValue: code) {
      case .publish: #"[{"type":"t","n":\#(n),"timestamp":\#(number())}]"#
      case .subscribe: #"{"query":"t","capacity":\#(n),"window_ms":\#(number())}"#
      case .credit: #"{"n":\#(n),"done":\#(number())}"#
      case .log: #"{"level":"info","message":"\u0000\u001b\ud800"}"#
      case .call: #"{"service":"s","method":"m","input":\#(n)}"#
      case .part: #"{"sequence":\#(n),"value":1}"#
      case .ended: #"{"contribution":"m","kind":"monitor","status":"ok","message":null}"#
      case .error: #"{"code":"ok","message":"m","cause":"c"}"#
      case .hello: #"{"protocol":[\#(n),\#(number())],"abi":\#(n),"pid":\#(n)}"#
      case .loaded: #"{"abi":\#(n),"name":"m","version":"1","contributions":[]}"#
      case .reply: "\(n)"
      default: ""
      }
    return Array(text.utf8)
  }

  private mutating func number() -> String {
    let numbers = [
      "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308",
      "-1e400", "1073741825", "2147483648", "\"1\"", "null", "0.5", "[]", "4611686018427387904",
    ]
    return numbers[Int(random.next() % UInt64(numbers.count))]
  }

  private mutating func text() -> [UInt8] {
    let alphabet = Array(#"{}[]",:0123456789eE+-.\untrfals \#u{1F}"#.utf8) + [0xFF, 0xC3, 0]
    return (0..<Int(random.next() % 60)).map { _ in
      alphabet[Int(random.next() % UInt64(alphabet.count))]
    }
  }

  private mutating func bytes(_ most: UInt64) -> [UInt8] {
    (0..<Int(random.next() % most)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.next() % 3 {
      bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
    }
    return bytes
  }

  private mutating func report() -> [UInt8] {
    let pcs = (0..<Int(random.next() % 6)).map { _ in address() }.joined(separator: ",")
    let images = (0..<Int(random.next() % 4)).map { _ in
      #"{"path":"/usr/lib/x","base":\#(address())}"#
    }.joined(separator: ",")
    let whole = Array(
      #"{"signal":\#(number()),"address":\#(address()),"pcs":[\#(pcs)],"images":[\#(images)]}"#.utf8
    )
    return random.next() % 2 == 0 ? whole : changed(whole)
  }

  private mutating func address() -> String {
    let texts = [
      "\"0x0\"", "\"0xffffffffffffffff\"", "\"0x10000000000000000\"", "\"0x-1\"", "\"\"",
    ]
    return random.next() % 2 == 0 ? number() : texts[Int(random.next() % UInt64(texts.count))]
  }
}
