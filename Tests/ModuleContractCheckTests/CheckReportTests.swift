import AgentJSON
import ModuleContractCheck
import Testing

@Suite struct CheckReportTests {
  @Test func `a check fails when one of its findings does`() {
    let fine = CheckReport(
      module: "m", findings: [CheckFinding(.ok, "a"), CheckFinding(.skipped, "b", detail: "why")])
    #expect(fine.isPassed)
    let bad = CheckReport(
      module: "m", findings: fine.findings + [CheckFinding(.failed, "c", detail: "d")])
    #expect(!bad.isPassed)
    #expect(bad.findings.map(\.line) == ["ok       a", "skipped  b: why", "FAILED   c: d"])
    let forged = CheckFinding(.failed, "c", detail: "d\r\nok       all\nok       all")
    #expect(forged.line == "FAILED   c: d\n  ok       all\n  ok       all")
    #expect(bad.json["checks"]?[2] == ["outcome": "failed", "what": "c", "detail": "d"])
  }
}
