import AgentEvents
import AgentJSON
import AgentModules
import AgentSystem
import AgentWorkerProtocol
import CDescriptors
import Glibc
import HostTestSupport
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers
@testable import AgentSupervision

/// The worker's end of a link's socket, played by a test. It blocks while it waits, so it has a
/// thread of its own.
actor FakeWorker {
  struct Silent: Error {}

  private let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private(set) var session = WorkerSession()
  private let socket: Int32
  private var decoder = FrameDecoder()

  init(_ socket: Int32) throws {
    loop = try EventLoop(name: "fake worker")
    self.socket = socket
  }

  deinit { close(socket) }

  /// Sends what a session has made.
  func send(_ make: @Sendable (inout WorkerSession) -> [Frame]) {
    var bytes: [UInt8] = []
    for frame in make(&session) { FrameEncoder.append(frame, to: &bytes) }
    sendBytes(bytes)
  }

  func sendBytes(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { descriptors_send(socket, $0.baseAddress, $0.count, -1) }
  }

  /// Sends a frame whose body is in a sealed memfd.
  func sendBeside(_ op: Op, id: UInt32 = 0, _ body: [UInt8]) {
    let file = body.withUnsafeBytes { descriptors_seal($0.baseAddress, $0.count) }
    sendDescriptor(Frame(op, id: id, body: Array("{}".utf8), descriptor: true), file)
    close(file)
  }

  /// Sends a frame with a descriptor beside it.
  func sendDescriptor(_ frame: Frame, _ descriptor: Int32) {
    var bytes: [UInt8] = []
    FrameEncoder.append(frame, to: &bytes)
    _ = bytes.withUnsafeBytes { descriptors_send(socket, $0.baseAddress, $0.count, descriptor) }
  }

  /// The next frame, which the session takes in too; fails after four minutes of silence.
  func frame() throws -> Frame {
    while true {
      if let frame = try decoder.next() {
        for case .send(let answer) in session.receive(frame) { send { _ in [answer] } }
        return frame
      }
      var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, 240_000) > 0 else { throw Silent() }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(socket, &bytes, bytes.count)
      guard count > 0 else { throw Silent() }
      decoder.append(Array(bytes[..<count]))
    }
  }

  /// The frame that must come next.
  func expect(_ op: Op) throws -> Frame {
    let frame = try frame()
    #expect(frame.op == op)
    return frame
  }

  /// HELLO to LOADED.
  func load(_ loaded: Loaded) throws -> Load {
    send { session in
      [session.hello(Hello(protocols: 1...1, abi: 1, toolchain: "", pid: getpid()))]
    }
    let frame = try expect(.load)
    send { session in [session.loaded(frame.id, loaded)] }
    return try Load(json: frame.body)
  }

  /// CONFIGURE to READY.
  func configure() throws -> Configure {
    let frame = try expect(.configure)
    send { session in [session.ready(frame.id)] }
    return try Configure(json: frame.body)
  }

  /// START and the credit that comes with it.
  func start() throws {
    let frame = try expect(.start)
    send { session in [session.reply(frame.id)] }
    _ = try expect(.credit)
  }
}

/// What a link has logged.
final class WorkerOutput: Sendable {
  private let words = Mutex<[String]>([])
  var all: [String] { words.withLock(\.self) }

  func add(_ words: String) { self.words.withLock { $0.append(words) } }
}

/// A link with a fake worker at the other end.
struct LinkFixture: Sendable {
  let link: WorkerLink
  let worker: FakeWorker
  let events: EventBus
  let positions: SubscriptionPositions
  let loop: EventLoop
  let said = WorkerOutput()
  /// The sockets that were closed.
  let closed = WorkerOutput()
  private let agent: TestAgent
  private let stream: AsyncStream<WorkerReport>

  static let loaded = Loaded(
    abi: 1, name: "clock", version: "0.1.0",
    contributions: [ContributionName(.datasource, "ticks"), time])
  static let time = ContributionName(.logicAdapter, "time")

  /// The body of a LOG.
  static func record(_ message: String) -> [UInt8] {
    Array(#"{"level":"info","message":"\#(message)"}"#.utf8)
  }

  /// A link, and a worker to play; of the same process as `old` when one is given, and on the loop
  /// and with the services of `other`, or on `ownLoop`.
  init(
    succeeding old: LinkFixture? = nil, beside other: LinkFixture? = nil,
    on ownLoop: EventLoop? = nil,
    events bus: EventBus? = nil, positions kept: SubscriptionPositions? = nil,
    state: StateService? = nil,
    byMethod: [String: any HostService] = [:]
  ) throws {
    agent = try TestAgent()
    events = bus ?? old?.events ?? other?.events ?? EventBus(now: { Timestamp.now() })
    positions = kept ?? old?.positions ?? SubscriptionPositions()
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    let socket = ends[0]
    loop = try ownLoop ?? other?.loop ?? EventLoop(name: "link")
    worker = try FakeWorker(ends[1])
    let (stream, reports) = AsyncStream<WorkerReport>.makeStream()
    self.stream = stream
    let connection = WorkerConnection(
      name: "p", pid: getpid(), socket: socket, crash: nil, isSpare: false, loop: loop,
      handle: WorkerHandle(generation: 1) { reports.yield($0) })
    let manifest = try #require(
      Manifest.read(directory: "\(agent.folder.path)/modules/clock").0)
    let plan =
      old?.link.plan
      ?? WorkerPlan(
        name: "p", manifest: manifest,
        load: Load(
          module: "clock", version: "0.1.0", directory: manifest.directory, hostVersion: "0.1.0"),
        configurations: [
          Configure(contribution: Self.time, process: "p", settings: Array(#"{"zone":"UTC"}"#.utf8))
        ])
    link = WorkerLink(
      plan: plan, connection: connection,
      services: other?.link.services
        ?? WorkerServices(
          events: events, positions: positions,
          byMethod: byMethod.merging(state.map { ["state/1": $0] } ?? [:]) { $1 },
          log: { [said] in said.add($0.message) },
          sandboxReached: { _, _ in },
          ended: { [closed] link, _ in
            guard let socket = link.connection.socket else { return }
            close(socket)
            closed.add("\(socket)")
          }))
    link.attach()
  }

  /// The next thing that the link tells the supervisor.
  func report() async -> WorkerReport? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }

  /// Waits until a HEARTBEAT was read, and everything in front of it is done. A worker also counts
  /// as alive while a long frame is parsed.
  func settle() async {
    while let report = await report() {
      guard report == .alive else { continue }
      let load = link.load
      if load.publishing + load.inbound == 0 { return }
    }
  }

  /// Brings the worker to work.
  func run() async throws {
    _ = try await worker.load(Self.loaded)
    _ = try await worker.configure()
    #expect(await report() == .ready)
    link.start()
    try await worker.start()
    #expect(await report() == .started)
  }

  /// The end, as the supervisor reports it.
  func end() { link.close(.exited(code: 0)) }
}

/// A memfd; flags as memfd_create(2) has them, which Swift's Glibc lacks.
func memoryFile(sealable: Bool = true) -> Int32 {
  typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
  guard let symbol = dlsym(nil, "memfd_create") else { return -1 }
  return unsafeBitCast(symbol, to: Create.self)("test", sealable ? 3 : 1)
}
