import AgentKit
import Testing

@Suite struct RateDetectorTests {
  private func reports(_ times: [Int64], limit: Int = 3, cooldown: Duration = .seconds(60))
    -> [Int64]
  {
    var rate = RateDetector(limit: limit, window: .seconds(60), cooldown: cooldown)
    return times.filter { rate.add($0) }
  }

  @Test func `too many events within the window are reported once per cooldown`() {
    #expect(reports([0, 50_000, 70_000, 80_000, 90_000]) == [80_000])
    #expect(reports([0, 50_000, 70_000, 80_000, 90_000], cooldown: .zero) == [80_000, 90_000])
    #expect(reports([0, 1, 2, 60_001, 60_002, 60_003]) == [2, 60_003])
  }

  @Test func `events a whole duration apart don't share a window`() {
    #expect(reports([0, 1, 60_000]) == [])
    #expect(reports([0, 1, 59_999]) == [59_999])
  }

  @Test func `a limit of one reports the first event`() {
    #expect(reports([5, 6, 60_005], limit: 1) == [5, 60_005])
    #expect(reports([5], limit: 0) == [5])
  }

  @Test func `times at the extremes are accepted`() {
    #expect(reports([.min, .max, .min, 0, .max, .max, .max]).count <= 3)
  }
}
