import AgentJSON
import AgentProcesses
import Testing

@Suite struct ReloadReportTests {
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
}
