import AgentJSON
import AgentModules
import AgentWorkerProtocol
import Glibc
import HostTestSupport
import Testing

@testable import AgentWorkers

@Suite(.timeLimit(.minutes(5))) struct StateServiceTests {
  /// What every implementation of `state/1` must answer, each suite on an empty state of "p".
  static let suites: [String: [JSONValue]] = {
    let path = "\(InProcessModule.root)/SDK/conformance/state.json"
    let bytes = (try? FileSystem.read(path)) ?? []
    let suites = (try? JSONValue(parsing: bytes))?.array ?? []
    return Dictionary(
      suites.map { ($0["name"]?.string ?? "", $0["steps"]?.array ?? []) },
      uniquingKeysWith: { $0 + $1 })
  }()

  @Test(arguments: ["1e20", "9223372036854775808", "1e308"])
  func `an impossible expected version writes nothing`(_ version: String) async throws {
    let state = try await StateFixture()
    let caller = state.caller()
    _ = await state.call("write", #"{"changes": [{"key": "a", "value": 1}]}"#, from: caller)
    let input = #"{"changes": [{"key": "a", "value": 2, "expected": \#(version)}]}"#
    let result = await state.call("write", input, from: caller)
    guard case .failure(let error) = result else {
      Issue.record("it was written: \(result)")
      return
    }
    #expect(error.code == .invalidArgument && error.message.contains("expected"), "\(error)")
    await state.end()
  }

  @Test func `the conformance suites exist`() { #expect(Self.suites.count > 4) }

  @Test(arguments: suites.keys.sorted())
  func `state requests are answered as in every implementation`(_ suite: String) async throws {
    let state = try await StateFixture()
    let caller = state.caller()
    for step in Self.suites[suite] ?? [] {
      let (method, input) = Self.request(step)
      let result = await state.call(method, input, from: caller)
      switch result {
      case .success(let answer):
        #expect(Self.timeless(answer) == step["answer"], "\(step)")
      case .failure(let error):
        #expect(error.code.name == step["error"]?.string, "\(step): \(error)")
        let words = step["says"]?.string ?? ""
        #expect(words.isEmpty || error.message.contains(words), "\(step): \(error)")
      }
    }
    await state.end()
  }

  private static func request(_ step: JSONValue) -> (String, String) {
    guard let fill = step["fill"] else {
      return (step["method"]?.string ?? "", step["input"]?.text() ?? "null")
    }
    let text = String(repeating: "x", count: max(0, (fill["bytes"]?.int ?? 0) - 2))
    let change: JSONValue = ["key": fill["key"] ?? "", "value": .string(text)]
    return ("write", (["changes": [change]] as JSONValue).text())
  }

  /// An answer without the times, which an implementation may choose.
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

  // MARK: The lease

  private func code(_ result: Result<JSONValue, WorkerError>) -> StatusCode? {
    guard case .failure(let error) = result else { return nil }
    return error.code
  }

  @Test func `a worker that wasn't started may read but not write`() async throws {
    let state = try await StateFixture()
    #expect(code(await state.write("a", "1", from: state.caller())) == nil)
    let created = ServiceCaller("p", module: "m")
    #expect(code(await state.write("a", "2", from: created)) == .closed)
    let answer = try await state.call("get", #"{"keys":["a"]}"#, from: created).get()
    #expect(answer["entries"]?[0]?["value"] == 1)
    await state.end()
  }

  @Test func `a write of an older generation is refused, and reads still work`() async throws {
    let state = try await StateFixture()
    let old = state.caller()
    #expect(code(await state.write("a", "1", from: old)) == nil)
    let new = state.caller()
    guard case .failure(let error) = await state.write("a", "2", from: old) else {
      Issue.record("It wasn't refused.")
      return
    }
    #expect(error.code == .closed)
    #expect(error.message.contains("belongs to its newest worker"))
    #expect(code(await state.write("a", "3", from: new)) == nil)
    let answer = try await state.call("get", #"{"keys":["a"]}"#, from: old).get()
    #expect(answer["entries"]?[0]?["value"] == 3)
    // Another process isn't concerned.
    #expect(code(await state.write("a", "4", from: state.caller("q"))) == nil)
    await state.end()
  }

  @Test func `a successor reads the writes that its predecessor requested`() async throws {
    let state = try await StateFixture()
    let old = state.caller()
    let input = Array(#"{"changes":[{"key":"a","value":"last"}]}"#.utf8)
    let written = AsyncStream<StatusCode?>.makeStream()
    state.service.call("write", input, from: old) { result in
      if case .failure(let error) = result { written.continuation.yield(error.code) }
      written.continuation.finish()
    }
    let new = state.caller()
    let answer = try await state.call("get", #"{"keys":["a"]}"#, from: new).get()
    #expect(answer["entries"]?[0]?["value"] == "last")
    for await failure in written.stream { Issue.record("\(failure.map(\.name) ?? "")") }
    await state.end()
  }

  @Test func `calls before the database is open aren't answered`() async throws {
    let service = StateService()
    let result = await withCheckedContinuation { continuation in
      service.call("list", Array("{}".utf8), from: ServiceCaller("p", module: "m")) {
        continuation.resume(returning: $0)
      }
    }
    #expect(result == .failure(WorkerError(.closed, "The agent's database isn't open.")))
  }

  @Test func `a value that couldn't be read back isn't stored`() async throws {
    let state = try await StateFixture()
    let caller = state.caller()
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(code(await state.write("a", nested(61), from: caller)) == .invalidArgument)
    #expect(code(await state.write("a", nested(60), from: caller)) == nil)
    let answer = try await state.call("history", #"{"key":"a"}"#, from: caller).get()
    #expect(answer["versions"]?[0]?["value"] != nil)
    #expect(code(await state.call("write", "{", from: caller)) == .invalidArgument)
    await state.end()
  }

  @Test func `an answer is bounded, and a list continues after it`() async throws {
    let state = try await StateFixture()
    let caller = state.caller()
    let value = "\"" + String(repeating: "x", count: 1_000_000) + "\""
    for n in 10..<28 { #expect(code(await state.write("k\(n)", value, from: caller)) == nil) }
    let first = try await state.call("list", "{}", from: caller).get()
    #expect(first["truncated"] == true)
    #expect(first["entries"]?.array?.count == 17)
    let rest = try await state.call("list", #"{"after":"k26"}"#, from: caller).get()
    #expect(rest["entries"]?.array?.count == 1)
    let keys = (10..<28).map { "\"k\($0)\"" }.joined(separator: ",")
    #expect(
      code(await state.call("get", "{\"keys\":[\(keys)]}", from: caller)) == .invalidArgument)
    await state.end()
  }
}
