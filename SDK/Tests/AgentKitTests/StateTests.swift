import AgentJSON
import CAgentModule
import Synchronization
import Testing

@testable import AgentKit
@testable import AgentKitTesting

@Suite struct StateTests {
  private let host = TestHost(process: "p")
  private var state: ProcessState { host.host.state }

  private func code(_ body: () async throws -> Void) async -> ModuleError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? ModuleError)?.code }
  }

  private struct Order: Codable, Equatable {
    var item: String
    var count: Int
  }

  @Test func `values are kept as JSON or as the module's own type`() async throws {
    #expect(try await state.get("order") == nil)
    #expect(try await state.set("order", to: Order(item: "tea", count: 2)) == 1)
    #expect(try await state.get("order", as: Order.self) == Order(item: "tea", count: 2))
    #expect(try await state.get("order") == ["item": "tea", "count": 2])
    try await state.set("note", to: JSONValue.null)
    #expect(try await state.get("note") == .null)
    let entries = try await state.entries(["note", "nothing", "order"])
    #expect(entries.map(\.key) == ["note", "order"])
    #expect(entries.map(\.version) == [2, 1])
    #expect(entries.first?.updated == host.clock.now)
    try await state.remove("note")
    #expect(try await state.get("note") == nil)
    let error = await #expect(throws: ModuleError.self) {
      try await state.get("order", as: Int.self)
    }
    #expect(error?.description.contains("\"order\"") == true)
    #expect(error?.description.contains("expected an integer") == true)
  }

  @Test func `a process's contributions share its state`() async throws {
    try await state.set("a", to: 1)
    #expect(try await host.host.state.get("a", as: Int.self) == 1)
    #expect(try await host.kept.get("a", as: Int.self) == 1)
  }

  @Test func `an expected version is compared`() async throws {
    let version = try await state.set("a", to: 1, expected: 0)
    #expect(await code { try await state.set("a", to: 2, expected: 0) } == .conflict)
    #expect(await code { try await state.remove("a", expected: 7) } == .conflict)
    try await state.remove("a", expected: version)
    #expect(try await state.keys() == [])
  }

  @Test func `an update is repeated on the value that others wrote`() async throws {
    try await state.set("count", to: 10)
    var calls = 0
    let other = host.kept
    let updated = try await state.update("count", default: 0) { count in
      calls += 1
      count += 1
    }
    #expect(updated == 11)
    #expect(calls == 1)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { _ = try? await other.update("count", default: 0) { $0 += 1 } }
      }
    }
    #expect(try await state.get("count", as: Int.self) == 31)
  }

  @Test func `a transaction reads its own writes and is applied whole or not at all`()
    async throws
  {
    try await state.set("stock", to: 3)
    try await state.set("old", to: "x")
    let left = try await state.transaction { state in
      let stock = try await state.get("stock", as: Int.self) ?? 0
      try state.set("stock", to: stock - 1)
      try state.set("orders/1", to: Order(item: "tea", count: 1))
      state.remove("old")
      #expect(try await state.get("old") == nil)
      return try await state.get("stock", as: Int.self)
    }
    #expect(left == 2)
    #expect(try await state.keys() == ["orders/1", "stock"])
    #expect(try await state.entry("stock")?.version == 3)
    #expect(try await state.entry("orders/1")?.version == 3)
    await #expect(throws: CancellationError.self) {
      try await state.transaction { state in
        try state.set("stock", to: 0)
        throw CancellationError()
      }
    }
    #expect(try await state.get("stock", as: Int.self) == 2)
  }

  @Test
  func `a transaction is repeated when its reads were changed, and gives up in the end`()
    async throws
  {
    let other = host.kept
    var runs = 0
    try await state.transaction { state in
      runs += 1
      let read = try await state.get("read", as: Int.self) ?? 0
      // Only read, and changed by somebody else meanwhile.
      if runs == 1 { try await other.set("read", to: 5) }
      try state.set("double", to: 2 * read)
    }
    #expect(runs == 2)
    #expect(try await state.get("double", as: Int.self) == 10)
    #expect(
      await code {
        try await state.transaction { state in
          runs += 1
          _ = try await state.get("read")
          try await other.update("read", default: 0) { $0 += 1 }
          try state.set("double", to: 0)
        }
      } == .conflict)
    #expect(runs == 102)
    #expect(try await state.get("double", as: Int.self) == 10)
  }

  @Test func `many pages of keys are listed, and history and limits hold`() async throws {
    for page in 0..<3 {
      try await state.transaction { state in
        for n in 0..<500 { try state.set("k/\(page)\(1000 + n)", to: n) }
      }
    }
    try await state.set("other", to: 1)
    #expect(try await state.keys(prefix: "k/").count == 1500)
    try await state.set("other", to: 2)
    try await state.remove("other")
    let history = try await state.history("other")
    #expect(history.map(\.value) == [nil, 2, 1])
    #expect(history.map(\.version) == [6, 5, 4])
    let limits = try await state.limits()
    #expect(limits.usedKeys == 1500)
    #expect(limits.valueBytes == 1 << 20)
  }

  @Test func `a test can refuse writes`() async throws {
    host.refuseStateWrites(with: ModuleError(.closed, "Another one writes."))
    #expect(await code { try await state.set("a", to: 1) } == .closed)
    #expect(try await state.get("a") == nil)
    host.refuseStateWrites(with: nil)
    try await state.set("a", to: 1)
  }

  // MARK: What every implementation answers

  private static let suites = Conformance.suites("state")

  @Test(arguments: suites.keys.sorted())
  func `the test's host answers state calls as every implementation does`(_ suite: String)
    async throws
  {
    let services = TestHost.Services(state: host.state, clock: host.clock)
    for step in Self.suites[suite] ?? [] {
      let (method, input) = Self.request(step)
      do {
        let answer = try await services.call("state/1", method: method, input: input.bytes())
        #expect(Self.timeless(try JSONValue(parsing: answer)) == step["answer"], "\(step)")
      } catch let error as ModuleError {
        #expect(step["error"]?.string == Conformance.names[error.code], "\(step): \(error)")
        let words = step["says"]?.string ?? ""
        #expect(words.isEmpty || error.message.contains(words), "\(step): \(error)")
      }
    }
  }

  @Test func `a call continues in a cancelled task`() async throws {
    let fake = FakeHost()
    let state = AgentHost(CHost(fake.table)).state
    let writing = Task { try await state.set("a", to: 1) }
    while fake.state.withLock({ $0.calls.isEmpty }) { await Task.yield() }
    writing.cancel()
    #expect(fake.state.withLock { $0.calls.first?.method } == "write")
    #expect(
      fake.state.withLock { $0.calls.first?.input } == #"{"changes":[{"key":"a","value":1}]}"#)
    fake.answer(#"{"version":7}"#)
    #expect(try await writing.value == 7)
    let refused = Task { try await state.get("a") }
    while fake.state.withLock({ $0.calls.isEmpty }) { await Task.yield() }
    fake.answer("No.", status: AGENT_CONFLICT)
    let error = await #expect(throws: ModuleError.self) { try await refused.value }
    #expect(error?.code == .conflict)
    #expect(error?.message == "No.")
    let other = await #expect(throws: ModuleError.self) {
      try await CHost(fake.table).call("tides/1", method: "next", input: [])
    }
    #expect(other?.code == .unsupported)
  }

  @Test func `the conformance suites exist`() { #expect(Self.suites.count > 4) }

  private static func request(_ step: JSONValue) -> (String, JSONValue) {
    guard let fill = step["fill"] else {
      return (step["method"]?.string ?? "", step["input"] ?? .null)
    }
    let text = String(repeating: "x", count: max(0, (fill["bytes"]?.int ?? 0) - 2))
    return ("write", ["changes": [["key": fill["key"] ?? "", "value": .string(text)]]])
  }

  private static func timeless(_ answer: JSONValue) -> JSONValue {
    guard var object = answer.object else { return answer }
    for key in ["entries", "versions"] {
      guard let list = object[key]?.array else { continue }
      object[key] = .array(
        list.map { entry in
          var entry = entry.object ?? [:]
          #expect(entry["updated"]?.int != nil)
          entry["updated"] = nil
          return .object(entry)
        })
    }
    return .object(object)
  }
}
