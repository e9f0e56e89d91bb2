import AgentKit
import Testing

@testable import RulesModule

@Suite struct RuleStateTests {
  private static func rule(_ more: JSONObject = [:]) throws -> RuleSettings {
    var settings: JSONObject = ["query": "q", "message": "m", "cooldown_seconds": 0]
    for (key, value) in more { settings[key] = value }
    return try JSONValue.object(settings).decode(RuleSettings.self)
  }

  @Test func `a rule fires once its condition has held for the required time without a break`()
    throws
  {
    let rule = try Self.rule(["for_seconds": 10])
    var state = RuleState()
    #expect(state.take(true, at: 0, rule) == nil)
    #expect(state.take(false, at: 5_000, rule) == nil)
    #expect(state.take(true, at: 6_000, rule) == nil)
    #expect(state.take(true, at: 15_999, rule) == nil)
    #expect(state.take(true, at: 16_000, rule) == .fires(since: 6_000, suppressed: 0))
  }

  @Test func `violations within the cooldown are counted and reported with the next alert`() throws
  {
    let rule = try Self.rule(["cooldown_seconds": 60])
    var state = RuleState()
    #expect(state.take(true, at: 0, rule) == .fires(since: 0, suppressed: 0))
    #expect(state.take(true, at: 30_000, rule) == nil)
    #expect(state.take(false, at: 31_000, rule) == nil)
    #expect(state.take(true, at: 59_999, rule) == nil)
    #expect(state.take(true, at: 60_000, rule) == .fires(since: 59_999, suppressed: 2))
    #expect(!state.isIdle(at: 61_000, rule))
    #expect(state.take(false, at: 61_000, rule) == nil)
    #expect(!state.isIdle(at: 119_999, rule) && state.isIdle(at: 120_000, rule))
  }

  @Test func `an alert that fired is resolved once`() throws {
    let rule = try Self.rule(["resolve": true, "cooldown_seconds": 60])
    var state = RuleState()
    #expect(state.take(true, at: 0, rule) == .fires(since: 0, suppressed: 0))
    #expect(state.take(false, at: 1_000, rule) == .resolves(since: 0))
    #expect(state.take(false, at: 2_000, rule) == nil)
    #expect(state.isIdle(at: 2_000, rule))
  }

  @Test func `a violation after a resolved one is reported at once`() throws {
    let rule = try Self.rule(["resolve": true, "cooldown_seconds": 15])
    var state = RuleState()
    #expect(state.take(true, at: 0, rule) == .fires(since: 0, suppressed: 0))
    #expect(state.take(true, at: 1_000, rule) == nil)
    #expect(state.take(false, at: 1_200, rule) == .resolves(since: 0))
    #expect(state.take(true, at: 2_400, rule) == .fires(since: 2_400, suppressed: 0))
    #expect(state.take(true, at: 3_000, rule) == nil)
  }

  @Test func `times that were set back or at the ends of the range don't silence a rule`() throws {
    let rule = try Self.rule(["cooldown_seconds": 60])
    var state = RuleState()
    #expect(state.take(true, at: 1_000_000, rule) != nil)
    #expect(state.take(true, at: 950_000, rule) == nil)
    #expect(state.take(true, at: 100_000, rule) != nil)
    #expect(state.take(true, at: .max, rule) != nil)
    #expect(state.take(true, at: .min, rule) != nil)
  }

  @Test func `each key is separate, and quiet ones are forgotten`() throws {
    let rule = try Self.rule(["by": ["pair"], "cooldown_seconds": 60])
    var table = RuleTable(rule)
    func take(_ pair: String, _ holds: Bool, at time: Int64) -> RuleState.Change? {
      table.take(["pair": .string(pair)], holds: holds, at: time, elapsed: time)?.change
    }
    #expect(
      take("A", true, at: 0) != nil && take("B", true, at: 1) != nil
        && take("A", true, at: 2) == nil)
    #expect(take("C", false, at: 3) == nil)
    #expect(table.count == 2)
    #expect(take("A", false, at: 70_000) == nil && take("B", false, at: 70_000) == nil)
    #expect(table.count == 0)
    for number in 0..<(RuleTable.most + 500) { _ = take("\(number)", true, at: 100_000) }
    #expect(table.count <= RuleTable.most)
  }

  @Test func `an alert without a row for long is resolved by the elapsed time`() throws {
    let rule = try Self.rule(["resolve": true, "silence_seconds": 60])
    var table = RuleTable(rule)
    let first = table.take(["n": 1], holds: true, at: 5_000, elapsed: 100_000)
    #expect(table.endQuiet(elapsed: 159_999).isEmpty)
    let over = table.endQuiet(elapsed: 160_000)
    #expect(over.map(\.change) == [.resolves(since: 5_000)])
    #expect(over.map(\.time) == [65_000])
    #expect(over.map(\.uid) == [first?.uid])
    #expect(table.endQuiet(elapsed: 500_000).isEmpty)
  }
}
