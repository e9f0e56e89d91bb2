import AgentKit
import AgentKitTesting
import Glibc
import Testing

@testable import ReplayModule

@Suite(.timeLimit(.minutes(1))) struct ReplayTests {
  /// A file that is there as long as the test.
  final class RecordedFile {
    let path: String

    init(_ lines: [String], end: String = "\n", kind: String = "jsonl") {
      path = "/tmp/agent-replay-\(UInt64.random(in: 0 ... .max)).\(kind)"
      write(lines.joined(separator: "\n") + end)
    }

    func write(_ text: String, _ mode: String = "w") {
      guard let file = fopen(path, mode) else { return }
      fputs(text, file)
      fclose(file)
    }

    deinit { unlink(path) }
  }

  private let clock = TestClock(now: 5_000_000, leaps: true)
  private let host: TestHost

  init() { host = TestHost(process: "yesterday", clock: clock) }

  private func replay(_ file: RecordedFile, _ others: JSONObject = [:]) throws -> Replay {
    var settings: JSONObject = [
      "file": .string(file.path), "speed": 1, "loop": false, "timestamp_field": "timestamp",
      "timestamps": "shift", "resume": true,
    ]
    for (key, value) in others { settings[key] = value }
    return Replay(
      settings: try JSONValue.object(settings).decode(ReplaySettings.self), host: host.host)
  }

  private static func lines(_ times: [Int]) -> [String] {
    times.enumerated().map { #"{"type": "t", "timestamp": \#($1), "n": \#($0)}"# }
  }

  private var numbers: [Int] { host.published.compactMap { $0["n"]?.int } }
  private var times: [Int64] { host.published.compactMap(\.timestamp) }

  @Test func `pauses equal the recording's, divided by the speed`() async throws {
    let file = RecordedFile(Self.lines([1000, 1000, 3000, 10_000]))
    try await replay(file, ["speed": 2]).run()
    #expect(numbers == [0, 1, 2, 3])
    #expect(times == [5_000_000, 5_000_000, 5_001_000, 5_004_500])
    #expect(clock.now == 5_004_500)
    #expect(host.logs.last?.message == "\(file.path) was replayed to its end: 4 events.")
  }

  @Test func `recorded times and sources may be kept`() async throws {
    let file = RecordedFile([
      #"{"type": "a", "timestamp": 7, "source": "kraken"}"#, "", #"{"type": "b", "timestamp": 9}"#,
    ])
    try await replay(file, ["timestamps": "keep"]).run()
    #expect(times == [7, 9] && host.published.map(\.type) == ["a", "b"])
    #expect(host.published.map(\.source) == ["kraken", "yesterday"])
  }

  @Test func `long pauses are cut, and unordered events aren't waited for`() async throws {
    let file = RecordedFile(Self.lines([1000, 900_000, 2000, 901_000]), end: "")
    try await replay(file, ["max_gap_seconds": 5]).run()
    #expect(numbers == [0, 1, 2, 3])
    #expect(times == [5_000_000, 5_005_000, 5_005_000, 5_006_000])
  }

  @Test func `a replay without pauses publishes as fast as the host accepts`() async throws {
    let file = RecordedFile(Self.lines((0..<3000).map { $0 * 60_000 }))
    try await replay(file, ["speed": "max", "timestamps": "keep"]).run()
    #expect(numbers == Array(0..<3000) && clock.now == 5_000_000)
    #expect(times == (0..<3000).map { $0 * 60_000 })
  }

  @Test func `the type, time field and range follow the settings`() async throws {
    let file = RecordedFile((0..<6).map { #"{"at": \#($0 * 10), "type": "x", "n": \#($0)}"# })
    let settings: JSONObject = [
      "timestamp_field": "at", "event_type": "y", "from": 10, "until": 40,
    ]
    try await replay(file, settings).run()
    #expect(numbers == [1, 2, 3] && Set(host.published.map(\.type)) == ["y"])
    #expect(host.published.first?["at"] == 10)
  }

  @Test func `a replay continues where the last one ended, and publishes nothing at the end`()
    async throws
  {
    let file = RecordedFile(Self.lines((0..<10).map { $0 * 60_000 }))
    for count in [3, 4, 7] {
      try await host.run(try replay(file), untilPublished: count)
    }
    try await replay(file).run()
    #expect(numbers == Array(0..<10))
    try await replay(file).run()
    #expect(numbers.count == 10)
    file.write(#"{"type": "t", "timestamp": 700000, "n": 10}"# + "\n", "a")
    try await replay(file).run()
    #expect(numbers == Array(0...10))
    try await replay(file, ["resume": false]).run()
    #expect(numbers.count == 22)
  }

  @Test func `another file or a shortened one starts anew`() async throws {
    let file = RecordedFile(Self.lines([1, 2, 3]))
    try await replay(file).run()
    file.write(#"{"type": "t", "timestamp": 1, "n": 7}"# + "\n")
    try await replay(file).run()
    #expect(numbers == [0, 1, 2, 7])
    #expect(host.logs.contains { $0.message.contains("different file than before") })
  }

  @Test func `a loop restarts without a pause`() async throws {
    let file = RecordedFile(Self.lines([1000, 2000]))
    try await host.run(try replay(file, ["loop": true]), untilPublished: 6)
    #expect(numbers.prefix(6) == [0, 1, 0, 1, 0, 1])
    #expect(
      times.prefix(6)
        == [5_000_000, 5_001_000, 5_001_000, 5_002_000, 5_002_000, 5_003_000])
  }

  @Test(arguments: [
    (#"{"type": "t", }"#, ":3:13: No comma"), ("[]", ":3: an event is a JSON object"),
    (#"{"type": "t"}"#, ":3: the field \"timestamp\" holds the time"),
    (#"{"type": "t", "timestamp": "now"}"#, "found \"now\""),
    (#"{"timestamp": 5}"#, ":3: an event needs a \"type\""),
  ]) func `a wrong line is named, and the lines before it are published`(
    line: String, says: String
  ) async throws {
    let file = RecordedFile(Self.lines([1, 2]) + [line] + Self.lines([3]))
    let error = await #expect(throws: ModuleError.self) { try await replay(file).run() }
    #expect(error?.message.hasPrefix(file.path) == true)
    #expect(error?.message.contains(says) == true, "\(String(describing: error))")
    #expect(numbers == [0, 1])
  }

  @Test func `a path that is no file or has no events to repeat is refused`() async throws {
    let file = RecordedFile([" "])
    try await replay(file).run()
    let empty = await #expect(throws: ModuleError.self) {
      try await replay(file, ["loop": true]).run()
    }
    #expect(empty?.message.contains("no events to repeat") == true)
    for path in ["/tmp", "/nowhere/at.all", "/dev/null"] {
      await #expect(throws: ModuleError.self) {
        try await replay(file, ["file": .string(path)]).run()
      }
    }
  }

  @Test func `lines longer than a read buffer are whole`() async throws {
    let text = String(repeating: "é", count: 200_000)
    let file = RecordedFile(
      (0..<3).map { #"{"type": "t", "timestamp": 1, "n": \#($0), "text": "\#(text)"}"# }, end: "")
    try await replay(file).run()
    #expect(numbers == [0, 1, 2] && host.published.allSatisfy { $0["text"]?.string == text })
  }

  @Test func `a table's first line names the columns, and values get their types`() async throws {
    let file = RecordedFile(
      [
        "timestamp,type,n,text,\"a, \"\"b\"\"\",flag", "1000,t,0.5,\"1\",x y,true\r",
        "3000,t,-2e3,,\"\",no",
      ], kind: "csv")
    try await replay(file).run()
    #expect(times == [5_000_000, 5_002_000])
    #expect(
      host.published.map(\.fields) == [
        ["n": 0.5, "text": "1", "a, \"b\"": "x y", "flag": true],
        ["n": -2000, "a, \"b\"": "", "flag": "no"],
      ])
    file.write("4000,t,7,,,\n", "a")
    try await replay(file).run()
    #expect(numbers == [-2000, 7] && host.published.count == 3)
    try await host.run(try replay(file, ["loop": true, "resume": false]), untilPublished: 9)
    #expect(
      host.published.dropFirst(3).prefix(6).map { $0["n"] } == [0.5, -2000, 7, 0.5, -2000, 7])
  }

  @Test(arguments: [
    ("1,t", ":2: expected 3 values"), ("1,t,\"a", ":2:5: the quote isn't closed"),
    ("1,t,\"a\"b", ":2:8: after the closing quote"), ("x,t,1", ":2: the field \"timestamp\""),
  ]) func `a wrong row is named`(row: String, says: String) async throws {
    let file = RecordedFile(["timestamp,type,n", row], kind: "csv")
    let error = await #expect(throws: ModuleError.self) { try await replay(file).run() }
    #expect(error?.message.contains(file.path + says) == true, "\(String(describing: error))")
  }
}
