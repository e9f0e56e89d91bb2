import AgentEvents
import AgentJSON
import AgentSupervision
import AgentSystem
import AgentWorkerProtocol
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

/// A worker that asks the host's services for anything, over a real link: `events/1`, `state/1`,
/// `tasks/1`, `metrics/1`, subscriptions of every kind. Whatever it sends, each call is answered or
/// the worker is ended, and what the host holds for it stays within its bounds.
///
/// In the suite a short run; `make fuzz` sets `FUZZ_STEPS` and `FUZZ_SEED`.
@Suite(.timeLimit(.minutes(60))) struct HostServicesFuzz {
  private static func number(_ name: String, _ usual: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? usual
  }

  @Test func `whatever a worker asks the services, each call is answered or the worker ended`()
    async throws
  {
    let seed = Self.number("FUZZ_SEED", 1)
    let rounds = max(20, Self.number("FUZZ_STEPS", 60_000) / 1_000)
    print("fuzz: services: \(rounds) rounds, seed \(seed)")
    let scene = try await ServicesScene()
    var requests = ServiceRequests(seed: UInt64(clamping: seed))
    var (answers, ends) = (0, 0)
    var link = try await scene.link()
    for round in 0..<rounds {
      let frames = (0..<50).map { _ in requests.next() }
      // The number of a call that a worker may send is its own choice.
      let probe = UInt32(clamping: 1_000_000 + round)
      let isAnswered = await link.exchange(frames, probe: probe)
      #expect(link.fixture.link.load.calls <= WorkerLink.maxAsking)
      #expect(
        link.fixture.link.load.subscriptions
          <= StreamBudget.maxWorkerBytes + StreamBudget.maxWorkerBytes / 2)
      if isAnswered { answers += 1 } else { ends += 1 }
      if !isAnswered || round % 20 == 19 {
        await link.end()
        link = try await scene.link()
      }
    }
    await link.end()
    print("fuzz: services: \(answers) answered, \(ends) ended, ok")
    #expect(answers > rounds / 4)
    await scene.end()
  }
}

/// The services of a host, and links to them.
private final class ServicesScene: Sendable {
  private let store: StoreFixture
  private let bus: EventBus
  private let state: StateFixture
  private let tasks: TaskFixture

  init() async throws {
    store = try StoreFixture()
    bus = try await store.open()
    state = try await StateFixture()
    tasks = try await TaskFixture()
  }

  func link() async throws -> FuzzedLink {
    let fixture = try LinkFixture(
      events: bus,
      byMethod: [
        "state/1": state.service, "tasks/1": tasks.service, "metrics/1": ModuleMetrics(),
      ])
    try await fixture.run()
    return FuzzedLink(fixture)
  }

  func end() async {
    await state.end()
    await tasks.end()
  }
}

/// A link whose worker sends anything.
private final class FuzzedLink: Sendable {
  let fixture: LinkFixture
  private let closing: Closing
  private let watch: Task<Void, Never>

  /// Ends a link once, on its loop. A second end would close somebody else's descriptor.
  private final class Closing: Sendable {
    private let fixture: LinkFixture
    private let isBegun = Atomic(false)
    private let isDone = StopSignal()

    init(_ fixture: LinkFixture) { self.fixture = fixture }

    func run() async {
      if !isBegun.exchange(true, ordering: .relaxed) {
        fixture.loop.execute { [fixture, isDone] in
          fixture.end()
          isDone.set()
        }
      }
      await isDone.wait()
    }
  }

  init(_ fixture: LinkFixture) {
    self.fixture = fixture
    let closing = Closing(fixture)
    self.closing = closing
    watch = Task {
      while let report = await fixture.report() {
        switch report {
        // As the supervisor does: the worker is killed, and its link closed.
        case .breach, .hungUp: return await closing.run()
        default: break
        }
      }
    }
  }

  /// Sends frames and a call that every host answers.
  /// - Returns: whether that was answered; otherwise the worker was ended.
  func exchange(_ frames: [Frame], probe: UInt32) async -> Bool {
    let call = Call(service: "state/1", method: "limits", input: Array("{}".utf8))
    await fixture.worker.send { _ in frames + [Frame(.call, id: probe, body: call.json)] }
    do {
      while true {
        let frame = try await fixture.worker.frame()
        if frame.id == probe, frame.op == .reply || frame.op == .error { return true }
      }
    } catch {
      return false
    }
  }

  func end() async {
    await closing.run()
    watch.cancel()
  }
}

/// Frames that ask services for anything, by numbers that a seed gives.
private struct ServiceRequests {
  private static let keys = [
    "query", "window_ms", "limit", "keys", "key", "value", "version", "prefix", "after", "changes",
    "name", "type", "input", "status", "id", "task_id", "bot_id", "assignment_id", "priority",
    "run_at", "wait_ms", "lease_ms", "timeouts", "retry", "capabilities", "strategy", "labels",
    "metrics", "health", "add", "set", "observe", "counts", "sum", "bounds", "component", "state",
    "progress", "result", "reason", "offset", "concurrency_key", "max_tasks", "run_ms",
  ]
  private static let methods: [String: [String]] = [
    "events/1": ["query"], "state/1": ["get", "list", "write", "history", "limits", "nothing"],
    "tasks/1": TaskMethod.all.keys.sorted(), "metrics/1": ["report"], "nothing/1": ["m"],
  ]
  private static let queries = [
    "*", "t", "t => count() by n every second", "t => list(text) as l at the end", "t =>",
    "\\u0000",
    "t => n, n, n => sum(n) over last 2 months every 1 month", "n:>1e308", "((((((((t))))))))",
    "* => json(text) as text => json(text) as text",
  ]

  private var random: SeededGenerator
  private var number: UInt32 = 100

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> Frame {
    number &+= 1
    let id = random.next() % 8 == 0 ? number &- UInt32(random.next() % 40) : number
    return switch random.next() % 20 {
    case 0..<11: Frame(.call, id: id, body: text(call()))
    case 11..<14: Frame(.subscribe, id: id, body: text(subscribe()))
    case 14: Frame(.credit, id: number &- 2, body: text(#"{"n":\#(small()),"done":\#(small())}"#))
    case 15: Frame(.unsubscribe, id: number &- UInt32(random.next() % 20))
    case 16: Frame(.log, body: text(#"{"level":"info","message":\#(value())}"#))
    case 17: Frame(.call, id: id, body: text(value()))
    default: Frame(.publish, body: text("[\(event())]"))
    }
  }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private mutating func one<Element>(of list: [Element]) -> Element {
    list[Int(random.next() % UInt64(list.count))]
  }

  /// What is mostly permitted as a count.
  private mutating func small() -> String { one(of: ["0", "1", "5", "1000", "1000000"]) }

  private mutating func value() -> String {
    switch random.next() % 8 {
    case 0..<4: one(of: Extreme.values.dropLast()).text
    case 4: one(of: ["\"t\"", "\"command\"", "1", "\"b\"", "\"running\"", "10", "1700000000000"])
    case 5: "[\(object(depth: 1))]"
    default: object(depth: 1)
    }
  }

  private mutating func object(depth: Int) -> String {
    let members = (0..<random.next() % 5).map { _ in
      "\"\(one(of: Self.keys))\":"
        + (depth < 3 && random.next() % 3 == 0
          ? object(depth: depth + 1) : one(of: Extreme.values.dropLast()).text)
    }
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func call() -> String {
    let service = one(of: Self.methods.keys.sorted())
    let method = one(of: Self.methods[service] ?? ["m"])
    return #"{"service":"\#(service)","method":"\#(method)","input":\#(input(method))}"#
  }

  /// An input that a method takes, apart from single values.
  private mutating func input(_ method: String) -> String {
    switch method {
    case "query":
      #"{"query":"\#(one(of: Self.queries))","limit":\#(value()),"window_ms":\#(value())}"#
    case "write":
      #"{"changes":[{"key":"k\#(random.next() % 9)","value":\#(value()),"version":\#(value())}]}"#
    case "get": #"{"keys":["k1",\#(value())]}"#
    case "report":
      #"{"metrics":[{"name":"m\#(random.next() % 9)","\#(one(of: ["add", "set", "sum"]))":\#(value()),"#
        + #""counts":\#(value()),"bounds":\#(value()),"labels":\#(value())}]}"#
    case "create_task": #"{"name":"n","type":"paint","input":\#(value()),"priority":\#(value())}"#
    case "register_bot":
      #"{"name":"b","type":"worker","max_tasks":\#(value()),"labels":\#(value())}"#
    default: value()
    }
  }

  private mutating func subscribe() -> String {
    var members = ["\"query\":\"\(one(of: Self.queries))\""]
    if random.next() % 2 == 0 {
      members.append("\"capacity\":\(random.next() % 2 == 0 ? "5" : value())")
    }
    if random.next() % 3 == 0 { members.append("\"window_ms\":\(value())") }
    if random.next() % 3 == 0 {
      let policy = one(of: ["block", "drop_oldest", "drop_newest", "read_log", "x"])
      members.append("\"overflow\":\"\(policy)\"")
    }
    switch random.next() % 6 {
    case 0: members.append("\"consumer\":\"c\(random.next() % 4)\"")
    case 1, 2:
      let span = one(of: ["none", "last 1 hour", "from ts 0 to now", "since ts 0", "x"])
      members.append("\"span\":\"\(span)\"")
      guard random.next() % 2 == 0 else { break }
      let marks = ["now", "p0", "t9223372036854775807", "p18446744073709551615", "1"]
      members.append("\"after\":\"\(one(of: marks))\"")
    default: break
    }
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func event() -> String {
    let time = one(of: ["0", "1", "1e3", "9223372036854775807", "-1"])
    let member = one(of: ["__overwrite", "__skipstorage", "x", "id"])
    return #"{"type":"t","n":\#(value()),"text":"\u0001\ud83d\ude00","timestamp":\#(time),"#
      + #""\#(member)":\#(value())}"#
  }
}
