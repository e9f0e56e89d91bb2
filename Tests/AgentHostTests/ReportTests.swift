import AgentDiagnostics
import AgentJSON
import AgentStore
import ModuleContractCheck
import Testing

@testable import AgentHost

@Suite struct ReportTests {
  @Test func `a reload report names each change and leaves out empty parts`() {
    let report = ReloadReport(
      isDryRun: true,
      changes: [
        .init(process: "a", action: .restart, reason: "r"),
        .init(process: "b", action: .restartNeeded, reason: "r", problem: "p"),
      ], warnings: ["w"])
    #expect(
      report.json == [
        "dry_run": true,
        "changes": [
          ["process": "a", "action": "restart", "reason": "r"],
          ["process": "b", "action": "restart_needed", "reason": "r", "problem": "p"],
        ],
        "warnings": ["w"],
      ])
  }

  @Test func `a database that takes no writes is reported with its since and reason`() {
    let full = StoreCondition.full(.init(since: 7, message: "Make room."))
    #expect(
      DatabaseReport(full).json == ["state": "FULL", "since": 7, "problem": "Make room."])
    #expect(DatabaseReport(nil).json == ["state": "OPENING", "since": .null, "problem": .null])
  }

  @Test func `a check fails when one of its findings does`() {
    let fine = CheckReport(
      module: "m", findings: [CheckFinding(.ok, "a"), CheckFinding(.skipped, "b", detail: "why")])
    #expect(fine.isPassed)
    let bad = CheckReport(
      module: "m", findings: fine.findings + [CheckFinding(.failed, "c", detail: "d")])
    #expect(!bad.isPassed)
    #expect(bad.findings.map(\.line) == ["ok       a", "skipped  b: why", "FAILED   c: d"])
    #expect(bad.json["checks"]?[2] == ["outcome": "failed", "what": "c", "detail": "d"])
  }
}
