import AgentWorkerProtocol
import Glibc
import Testing

@testable import AgentWorkers

@Suite struct SandboxReportTests {
  private let loaded = Loaded(
    abi: 1, name: "m", version: "1.0.0", contributions: [], sandbox: .full, sandboxDetail: "mine")

  private func record(_ text: String) -> [UInt8] {
    Array((text + String(repeating: " ", count: max(0, 1024 - text.utf8.count))).utf8)
  }

  @Test func `a worker's report of its own sandbox in LOADED is ignored`() {
    let without = loaded.contained(as: nil, isExpected: false)
    #expect(without.sandbox == .none && without.sandboxDetail == nil)
    let silent = loaded.contained(as: nil, isExpected: true)
    #expect(silent.sandbox == .none && silent.sandboxDetail?.contains("didn't report") == true)
  }

  @Test func `the launcher's report counts, and the rest stays in the pipe`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let bytes = record(#"{"sandbox":"partial","detail":"no landlock"}"#) + Array("{}".utf8)
    #expect(write(ends[1], bytes, bytes.count) == bytes.count)
    let record = try #require(SandboxRecord.take(from: ends[0]))
    #expect(record.level == .partial && record.detail == "no landlock")
    let told = loaded.contained(as: record, isExpected: true)
    #expect(told.sandbox == .partial && told.sandboxDetail == "no landlock")
    var rest = [UInt8](repeating: 0, count: 8)
    #expect(read(ends[0], &rest, 8) == 2)
    #expect(SandboxRecord.take(from: ends[0]) == nil)
    close(ends[0])
    close(ends[1])
  }

  @Test func `a crash report is what follows the record`() {
    let record = record(#"{"sandbox":"full","detail":""}"#)
    let report = Array(#"{"signal":11}"#.utf8)
    #expect(SandboxRecord.dropFirst(of: record + report) == report)
    #expect(SandboxRecord.dropFirst(of: report) == report)
    #expect(SandboxRecord.dropFirst(of: []) == [])
  }

  @Test(arguments: ["", "{", "[]", #"{"sandbox":"best"}"#, #"{"sandbox":1}"#])
  func `a text that is no record is refused`(_ text: String) {
    #expect(SandboxRecord(record(text)) == nil)
  }
}
