import AgentDiagnostics
import AgentJSON
import AgentStore
import Testing

@Suite struct DatabaseReportTests {
  @Test func `a database that takes no writes is reported with its since and reason`() {
    let full = StoreCondition.full(.init(since: 7, message: "Make room."))
    #expect(
      DatabaseReport(full).json == ["state": "FULL", "since": 7, "problem": "Make room."])
    #expect(DatabaseReport(nil).json == ["state": "OPENING", "since": .null, "problem": .null])
  }
}
