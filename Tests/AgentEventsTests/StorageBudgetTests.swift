import TestSupport
import Testing

@testable import AgentEvents

/// How much space events give up before the database is full.
@Suite struct StorageBudgetTests {
  @Test func `no event is cut while there is space`() {
    let budget = StorageBudget(limit: 1000, used: 900)
    #expect(budget.excess == 0 && budget.cap(of: [500, 400]) == nil && !budget.isAlarming)
  }

  @Test(
    arguments: [
      // 60 of 910 are too many: the largest goes down, small ones keep what they have.
      ([500, 100, 10], 440), ([500, 480, 10], 460), ([100, 100, 100], 80), ([70], 10),
      ([30, 30], 0), ([20], 0), ([], 0), ([0, -5], 0),
    ] as [([Int64], Int64)])
  func `the largest types are cut to one size`(sizes: [Int64], cap: Int64) {
    #expect(StorageBudget(limit: 1000, used: 910).cap(of: sizes) == cap)
  }

  @Test func `the sizes after a cut don't exceed the limit`() {
    var random = SeededGenerator(seed: 1000)
    for _ in 0..<1000 {
      let sizes = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        Int64.random(in: 0...1 << 40, using: &random)
      }
      let total = sizes.reduce(0, +)
      let budget = StorageBudget(limit: total, used: total)
      guard let cap = budget.cap(of: sizes) else { continue }
      let left = sizes.reduce(0) { $0 + min($1, cap) }
      #expect(left <= max(0, total - budget.excess))
      // And not much less.
      #expect(left + Int64(sizes.count) >= total - budget.excess)
    }
  }

  @Test func `sizes beyond all bounds don't trap`() {
    let budget = StorageBudget(limit: .max, used: .max)
    #expect(budget.isAlarming && budget.cap(of: [.max, .max, .max - 1]) != nil)
    #expect(StorageBudget(limit: 1, used: .max).cap(of: [.max, 1]) == 0)
  }
}
