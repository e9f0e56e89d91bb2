import AgentJSON
import Glibc
import Testing

/// What the host holds stays bounded while workers send the worst that they can, all at once; it
/// answers, and their neighbor goes on.
@Suite struct WorstWorkerTests {
  private static let frames = [
    "descriptors", "bodies", "huge-bodies", "records", "answers", "subscribe", "output",
    "heartbeats", "unknown", "crash-report", "half-frames", "replies",
  ]
  /// What the bounds of all of them together come to, and what a build for debugging needs besides.
  private static let maxMemory = 1200 << 20

  @Test func `the worst workers neither end the host nor fill its memory`() async throws {
    try await Self.run(Self.frames, failing: ["descriptors", "huge-bodies", "crash-report"])
  }

  private static func run(_ modes: [String], failing: [String]) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      var processes: JSONObject = ["clock": ["type": "ticks"]]
      for mode in modes {
        try await agent.addWorstWorker(mode)
        processes[mode] = ["type": .string("worst-\(mode)")]
      }
      try agent.settings(
        modules: ["ticker"] + modes.map { "worst-\($0)" }, processes: processes)
      try await agent.run()
      let clock = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      let host = try await agent.client.send("GET", "status").body["pid"]?.int ?? 0
      for mode in failing {
        let ended = try await agent.process(mode, "is FAILED") { $0.state == "FAILED" }
        #expect(ended.restarts == 3)
      }
      for _ in 0..<15 {
        let status = try await agent.client.send("GET", "status")
        #expect(status.body["held"]?["queries"]?["bytes"]?.int ?? .max <= 512 << 20)
        for process in status.body["processes"]?.array ?? [] {
          for bytes in process["held"]?.object ?? [:] {
            #expect(bytes.value.int ?? .max <= 160 << 20, "\(process)")
          }
        }
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(try Self.memory(host, "VmHWM") < Self.maxMemory)
      #expect(try FileDescriptors.count(host) < 400)
      let consumers = try await agent.client.send("GET", "events/consumers")
      #expect(consumers.body["consumers"]?.array?.count ?? .max <= 100)
      try await agent.isHealthy("clock", since: clock)
    }
  }

  /// A value of `/proc/PID/status`, in bytes.
  private static func memory(_ pid: Int, _ name: String) throws -> Int {
    let text = String(
      decoding: try TemporaryFolder.bytes(ofFile: "/proc/\(pid)/status"), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    let kilobytes = line?.split(separator: " ").dropLast().last.flatMap { Int($0) }
    return try #require(kilobytes) * 1024
  }
}

private enum FileDescriptors {
  /// How many a process has open.
  static func count(_ pid: Int) throws -> Int {
    let folder = try #require(opendir("/proc/\(pid)/fd"))
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
}
