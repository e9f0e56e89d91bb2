import AgentAssignment
import Testing

struct RoundRobinTests {
  private func take(_ task: AssignmentTask, _ roster: inout BotRoster) throws -> String {
    let choice = try #require(roster.decide(task, strategy: .roundRobin).choice)
    _ = roster.begin(choice.bot, capability: choice.capability, at: 0)
    _ = roster.end(choice.bot, capability: choice.capability, at: 0)
    return choice.bot
  }

  @Test func `turns differ by at most one at every moment`() throws {
    var roster = BotRoster()
    for number in 0..<7 { roster.register(bot("b\(number)", boost: number)) }
    var turns: [String: Int] = [:]
    for _ in 0..<100 {
      turns[try take(AssignmentTask(id: "1", type: "backup"), &roster), default: 0] += 1
      let counts = roster.bots.map { turns[$0.id] ?? 0 }
      #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
    }
  }

  @Test func `bots that come and go take nobody's turn`() throws {
    var roster = roster(bot("a"), bot("c"))
    let task = AssignmentTask(id: "1", type: "backup")
    #expect(try take(task, &roster) == "a")
    roster.register(bot("b"))
    #expect(try (0..<4).map { _ in try take(task, &roster) } == ["b", "c", "a", "b"])
    roster.remove("c")
    #expect(try (0..<3).map { _ in try take(task, &roster) } == ["a", "b", "a"])
  }

  @Test func `tasks for a single bot don't starve the other bots`() throws {
    var roster = roster(bot("a"), bot("b"), bot("c", type: .monitor))
    var turns: [String: Int] = [:]
    for number in 0..<30 {
      let type: BotType? = number % 2 == 0 ? nil : .monitor
      let task = AssignmentTask(id: "1", type: "backup", botType: type)
      turns[try take(task, &roster), default: 0] += 1
    }
    #expect(turns["a", default: 0] >= 7 && turns["b", default: 0] >= 7)
  }
}
