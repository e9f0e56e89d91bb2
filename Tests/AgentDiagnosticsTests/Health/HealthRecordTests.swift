import AgentJSON
import AgentLogging
import AgentStore
import AgentSystem
import AgentWorkers
import TestSupport
import Testing

@testable import AgentDiagnostics

@Suite struct HealthRecordTests {
  @Test func `a component keeps its since until its state changes`() {
    var record = HealthRecord()
    #expect(record.take([HealthSnapshot("a")], at: 10).components[0].since == 10)
    #expect(record.take([HealthSnapshot("a")], at: 20).components[0].since == 10)
    let worse = record.take([HealthSnapshot("a", .degraded, reason: "x")], at: 30)
    #expect(worse.components[0] == .init(name: "a", state: .degraded, reason: "x", since: 30))
    let other = record.take([HealthSnapshot("a", .degraded, reason: "y")], at: 40)
    #expect(other.components[0].since == 30)
    #expect(other.components[0].reason == "y")
    #expect(record.take([HealthSnapshot("a")], at: 50).components[0].since == 50)
  }

  @Test func `the overall state has a since of its own`() {
    var record = HealthRecord()
    #expect(record.take([HealthSnapshot("a"), HealthSnapshot("b")], at: 1).since == 1)
    let first = record.take([HealthSnapshot("a", .failing), HealthSnapshot("b")], at: 2)
    #expect((first.state, first.since) == (.degraded, 2))
    // Another part is to blame, and the whole is as it was.
    let second = record.take([HealthSnapshot("a"), HealthSnapshot("b", .failing)], at: 3)
    #expect((second.state, second.since) == (.degraded, 2))
    #expect(second.components.map(\.since) == [3, 3])
  }

  @Test func `a component's own since is used unless it lies in the future`() {
    var record = HealthRecord()
    let known = record.take([HealthSnapshot("a", .failing, since: 5)], at: 100)
    #expect(known.components[0].since == 5)
    let ahead = record.take([HealthSnapshot("a", .failing, since: 500)], at: 100)
    #expect(ahead.components[0].since == 100)
  }

  @Test func `a component that was gone starts anew`() {
    var record = HealthRecord()
    _ = record.take([HealthSnapshot("a")], at: 1)
    #expect(record.take([], at: 2).components.isEmpty)
    #expect(record.take([HealthSnapshot("a")], at: 3).components[0].since == 3)
  }

  @Test func `the worse of two snapshots with one name counts`() {
    var record = HealthRecord()
    let report = record.take(
      [HealthSnapshot("a"), HealthSnapshot("b"), HealthSnapshot("a", .failing, reason: "r")], at: 1)
    #expect(report.components.map(\.name) == ["a", "b"])
    #expect(report.components[0].state == .failing)
  }

  @Test(arguments: [
    ([HealthSnapshot("a", isVital: true), HealthSnapshot("b")], HealthState.ok, true),
    ([HealthSnapshot("a", .starting)], .ok, true),
    (
      // A part that isn't up yet isn't ready because another part is worse.
      [HealthSnapshot("a", .starting, isVital: true), HealthSnapshot("b", .failing)], .starting,
      false
    ),
    ([HealthSnapshot("a", .starting, isVital: true)], .starting, false),
    ([HealthSnapshot("a", .failing)], .degraded, true),
    ([HealthSnapshot("a", .failing, isVital: true)], .failing, false),
    ([HealthSnapshot("a", .degraded, isVital: true)], .degraded, true),
    ([], .ok, true),
  ])
  func `the overall state follows the vital components and is degraded by others`(
    snapshots: [HealthSnapshot], state: HealthState, isReady: Bool
  ) {
    var record = HealthRecord()
    let report = record.take(snapshots, at: 1)
    #expect(report.state == state)
    #expect(report.isReady == isReady)
  }

  @Test func `the reason names the worst component and counts the others`() {
    var record = HealthRecord()
    let report = record.take(
      [
        HealthSnapshot("disk", .degraded, reason: "It is nearly full."),
        HealthSnapshot("log_files"),
        HealthSnapshot("store", .failing, reason: "Make room.", isVital: true),
      ], at: 7)
    #expect(report.reason == "store: Make room. (and 1 more)")
    #expect(
      report.json["components"]?[1] == [
        "name": "log_files", "state": "ok", "reason": .null, "since": 7,
      ])
    #expect(report.json["ready"] == false)
    #expect(record.take([HealthSnapshot("a")], at: 8).json["reason"] == .null)
  }
}

@Suite struct HealthSnapshotTests {
  @Test func `a hindered database is failing with the hindrance and its since`() {
    let full = HealthSnapshot.store(.full(.init(since: 7, message: "Make room.")))
    #expect(full.state == .failing && full.isVital && full.since == 7)
    #expect(full.reason == "Nothing can be stored: Make room.")
    #expect(HealthSnapshot.store(nil).state == .starting)
    #expect(HealthSnapshot.store(.ready).state == .ok)
    #expect(HealthSnapshot.store(.closed).state == .failing)
  }

  @Test func `a host is starting until it is complete, and failing while it stops`() {
    let starting = HealthSnapshot.host(awaited: ["workers", "management"], isStopping: false)
    #expect(starting.state == .starting)
    #expect(starting.reason == "Still starting: management and workers.")
    #expect(HealthSnapshot.host(awaited: [], isStopping: false).state == .ok)
    #expect(HealthSnapshot.host(awaited: [], isStopping: true).state == .failing)
  }

  @Test(arguments: [
    (ProcessState.running, HealthState.ok), (.finished, .ok), (.idle, .ok),
    (.starting, .starting), (.stopping, .degraded), (.stopped, .degraded),
    (.backingOff, .degraded), (.failed, .failing),
  ])
  func `a process's health follows its state`(process: ProcessState, state: HealthState) {
    let report = ProcessReport(
      name: "p", module: "m", type: "t", isEnabled: true, state: process, restarts: 0,
      isolation: "worker")
    let snapshot = HealthSnapshot.process(report)
    #expect(snapshot.name == "process:p")
    #expect(snapshot.state == state)
    #expect((snapshot.reason != nil) == (state != .ok))
  }

  @Test func `a port that can't be opened fails with its address and why`() {
    let report = ListenerReport(
      name: "events.tcp", address: "127.0.0.1:1", state: .failed, problem: "It is taken.")
    let snapshot = HealthSnapshot.listener(report)
    #expect(snapshot.state == .failing)
    #expect(snapshot.reason == "127.0.0.1:1: It is taken.")
  }

  @Test(arguments: [
    (UInt64(1) << 40, UInt64(1000), HealthState.ok), (255 << 20, 1000, .degraded),
    (1 << 20, 1000, .failing), (1 << 40, 9, .degraded), (1 << 40, 0, .failing),
  ])
  func `a disk is judged by its bytes and its inodes`(
    free: UInt64, files: UInt64, state: HealthState
  ) {
    let space = DiskSpace(free: free, total: 1 << 41, freeFiles: files, totalFiles: 1000)
    #expect(HealthSnapshot.disk(space).state == state)
  }

  @Test func `a file system without an inode count lacks none`() {
    let space = DiskSpace(free: 1 << 40, total: 1 << 41, freeFiles: 0, totalFiles: 0)
    #expect(HealthSnapshot.disk(space).state == .ok)
  }

  @Test func `a log file that can't be written is reported until it can be`() throws {
    let folder = try TestFolder()
    var configuration = LogConfiguration()
    configuration.toStandardError = false
    configuration.folder = "\(folder.path)/logs"
    let hub = LogHub(configuration)
    hub.log(.warning, "lost", source: "p")
    hub.flush()
    let snapshot = HealthSnapshot.logFiles(hub.statistics)
    #expect(snapshot.state == .degraded)
    #expect(snapshot.reason?.contains("logs/p.jsonl can't be written: No such file") == true)
    try folder.write("logs/.keep", "")
    hub.log(.error, "written", source: "p")
    hub.flush()
    #expect(HealthSnapshot.logFiles(hub.statistics).state == .ok)
    #expect(hub.statistics.recent.map(\.message) == ["lost", "written"])
  }

  @Test func `byte counts are written in readable units`() {
    #expect(ByteText.of(0) == "0 bytes")
    #expect(ByteText.of(1023) == "1023 bytes")
    #expect(ByteText.of(1536) == "1.5 KB")
    #expect(ByteText.of(UInt64(256) << 20) == "256 MB")
    #expect(ByteText.of(Int64.max) == "8388608 TB")
  }
}
