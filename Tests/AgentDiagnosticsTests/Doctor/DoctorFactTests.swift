import AgentJSON
import AgentSystem
import Testing

@testable import AgentDiagnostics

/// What the doctor makes of facts that a test can't make real: another kernel, a full disk.
@Suite struct DoctorFactTests {
  private typealias Doctor = AgentDiagnostics.Doctor

  private func kernel(_ change: (inout KernelReport) -> Void) -> [DoctorFinding] {
    var kernel = KernelReport(
      landlock: 4, hasSeccomp: true, hasProcessDescriptors: true, controllers: [],
      securityModules: ["yama", "landlock"], userNamespaces: 10, hasSystemd: true)
    change(&kernel)
    return Doctor.kernel(kernel, "6.1.0")
  }

  @Test func `a missing kernel feature is reported with its consequence`() {
    #expect(kernel { _ in }.map(\.verdict) == [.ok])
    #expect(kernel { $0.landlock = 2 }.first?.sentence.contains("truncate") == true)
    let off = kernel {
      $0.landlock = 0
      $0.securityModules = ["yama", "apparmor"]
    }
    #expect(off.first?.remedy == "Boot with lsm=landlock,yama,apparmor")
    let old = kernel {
      $0.landlock = 0
      $0.securityModules = nil
    }
    #expect(old.first?.remedy?.contains("5.13") == true)
    #expect(kernel { $0.hasSeccomp = false }.map(\.verdict) == [.warning])
    #expect(kernel { $0.hasProcessDescriptors = false }.map(\.verdict) == [.problem])
  }

  @Test(arguments: [
    (UInt64(1) << 40, DoctorFinding.Verdict.ok), (100 << 20, .warning), (1 << 20, .problem),
  ])
  func `a disk is reported before it is full`(free: UInt64, verdict: DoctorFinding.Verdict) {
    let space = DiskSpace(free: free, total: 1 << 41, freeFiles: 10, totalFiles: 20)
    #expect(Doctor.disk(space, "/x").verdict == verdict)
    #expect(Doctor.disk(nil, "/x").verdict == .warning)
  }

  private func limits(_ lines: String, used: Int? = nil) -> [String] {
    let head = "Limit                     Soft Limit           Hard Limit           Units\n"
    return Doctor.limits(ProcessLimits(text: head + lines), processes: 100, used: used).map {
      "\($0.name) \($0.verdict)"
    }
  }

  @Test func `limits that are too low for the processes are reported`() {
    let files = "Max open files            1024                 524288               files"
    #expect(limits(files) == ["limits:descriptors warning"])
    #expect(limits(files.replacing("1024  ", with: "524288")) == ["limits ok"])
    #expect(limits(files, used: 1000) == ["limits:descriptors problem"])
    #expect(
      limits("Max processes             100                  100                  processes")
        == ["limits:processes warning"])
    #expect(
      limits("Max address space         104857600            unlimited            bytes")
        == ["limits:memory warning"])
    #expect(limits("") == ["limits ok"])
  }

  @Test func `a stuck change is reported with its name and duration`() throws {
    let diagnostics: JSONValue = ["change": ["what": "a reload", "since": 1_000]]
    #expect(Doctor.change(diagnostics, now: 30_999) == [])
    let finding = try #require(Doctor.change(diagnostics, now: 61_000).first)
    #expect(finding.verdict == .warning)
    #expect(finding.sentence.contains("under way for 60 s: a reload"), "\(finding.sentence)")
    #expect(Doctor.change(["change": .null], now: 0) == [])
    let ahead: JSONValue = ["change": ["what": "a reload", "since": 9_000_000_000_000_000_000]]
    #expect(Doctor.change(ahead, now: 5) == [])
  }

  @Test func `safe mode is a problem that names what was in progress`() throws {
    let mode: JSONValue = ["reason": "The last 3 starts ended.", "causes": ["a", "b", "c", "d"]]
    let finding = try #require(Doctor.safeMode(["safe_mode": mode]).first)
    #expect(finding.verdict == .problem)
    #expect(finding.sentence.hasSuffix("The last 3 starts ended. a b c"), "\(finding.sentence)")
    #expect(finding.remedy?.contains("agent restart") == true)
    #expect(Doctor.safeMode(["safe_mode": .null]) == [])
  }

  private func process(_ state: String, _ more: JSONObject = [:]) -> [DoctorFinding] {
    var process: JSONObject = ["name": "p", "enabled": true, "state": .string(state)]
    for (key, value) in more { process[key] = value }
    return Doctor.process(.object(process))
  }

  @Test func `a process that isn't running is reported with its reason and last crash`() throws {
    #expect(process("RUNNING", ["sandbox": "full"]) == [])
    let failed = try #require(
      process(
        "FAILED",
        [
          "reason": "it ended 3 times",
          "crashes": [
            [
              "exit": "was ended by SIGILL", "time": "2026-01-01T00:00:00.000Z", "file": "/c.json",
              "frames": ["boom"],
            ]
          ],
        ]
      ).first)
    #expect(failed.verdict == .problem)
    #expect(failed.sentence.contains("it ended 3 times"))
    #expect(failed.sentence.contains("SIGILL in boom"))
    #expect(failed.remedy?.contains("/c.json") == true)
    #expect(process("BACKING-OFF").map(\.verdict) == [.warning])
    #expect(process("STOPPED").map(\.verdict) == [.warning])
    #expect(process("RUNNING", ["sandbox": "partial"]).map(\.verdict) == [.warning])
    #expect(process("STOPPED", ["enabled": false]) == [])
  }
}
