import AgentAssignment
import AgentJSON
import Testing

struct StrategyFiguresTests {
  @Test func `decisions, results and waiting times are counted`() {
    var figures = StrategyFigures()
    #expect(figures.successRate == nil && figures.meanWait == nil)
    let roster = roster(bot("a"))
    let task = AssignmentTask(id: "1", type: "backup")
    figures.decided(roster.decide(task, strategy: .bestFit), waited: 100)
    figures.decided(roster.decide(task, strategy: .bestFit), waited: 300)
    figures.decided(BotRoster().decide(task, strategy: .bestFit), waited: 900)
    figures.ended(well: true)
    figures.ended(well: false)
    figures.wasReassigned()
    #expect(figures.successRate == 0.5 && figures.reassignmentRate == 0.5)
    #expect(figures.meanWait == 200 && figures.longestWait == 300 && figures.unassigned == 1)
    #expect(figures.json["mean_wait"] == 200)
  }
}
