import AgentAssignment
import AgentJSON
import Testing

struct StrategyStatisticsTests {
  @Test func `decisions, results and waiting times are counted`() {
    var statistics = StrategyStatistics()
    #expect(statistics.successRate == nil && statistics.meanWait == nil)
    let roster = roster(bot("a"))
    let task = AssignmentTask(id: "1", type: "backup")
    statistics.decided(roster.decide(task, strategy: .bestFit), waited: 100)
    statistics.decided(roster.decide(task, strategy: .bestFit), waited: 300)
    statistics.decided(BotRoster().decide(task, strategy: .bestFit), waited: 900)
    statistics.ended(well: true)
    statistics.ended(well: false)
    statistics.wasReassigned()
    #expect(statistics.successRate == 0.5 && statistics.reassignmentRate == 0.5)
    #expect(
      statistics.meanWait == 200 && statistics.longestWait == 300 && statistics.unassigned == 1)
    #expect(statistics.json["mean_wait"] == 200)
  }
}
