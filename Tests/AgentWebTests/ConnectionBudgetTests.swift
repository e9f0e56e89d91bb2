import AgentSettings
import Testing

@testable import AgentWeb

@Suite struct ConnectionBudgetTests {
  private func budget(_ descriptors: Int, processes: Int = 4) -> ConnectionBudget {
    ConnectionBudget(
      descriptors: descriptors, processes: processes, http: HTTPSettings().limits, events: 100)
  }

  @Test func `the settings decide where the system permits enough files`() {
    let budget = budget(65_536)
    #expect(budget.api == 10_000)
    #expect(budget.perAddress == 1000)
    #expect(budget.events == 100)
  }

  @Test(arguments: [512, 1024, 4096, 20_000], [0, 4, 100])
  func `all connections together leave what the host needs`(descriptors: Int, processes: Int) {
    let budget = budget(descriptors, processes: processes)
    let left = descriptors - budget.api - budget.events
    #expect(left >= min(256 + 8 * processes, descriptors - 32))
    #expect(budget.perAddress <= budget.api / 2)
    #expect(budget.perAddress >= 1 && budget.events >= 1)
  }

  @Test(arguments: [0, 64, 256])
  func `a few connections are taken whatever the limit is`(descriptors: Int) {
    #expect(budget(descriptors, processes: .max).api == 24)
  }
}
