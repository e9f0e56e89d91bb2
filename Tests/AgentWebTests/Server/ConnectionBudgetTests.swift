import AgentSettings
import Testing

@testable import AgentWeb

@Suite struct ConnectionBudgetTests {
  private let limits = HTTPSettings().limits
  private let port = EventPortSettings(listen: HTTPSettings.usualAddress)

  @Test func `the settings decide where the system permits enough files`() {
    let budget = ConnectionBudget(descriptors: 65_536, processes: 4)
    #expect(budget.api(of: limits) == 10_000)
    #expect(budget.perAddress(of: limits) == 1000)
    #expect(budget.events(of: port) == 100)
  }

  @Test(arguments: [512, 1024, 4096, 20_000], [0, 4, 100])
  func `all connections together leave what the host needs`(descriptors: Int, processes: Int) {
    let budget = ConnectionBudget(descriptors: descriptors, processes: processes)
    let (api, perAddress) = (budget.api(of: limits), budget.perAddress(of: limits))
    let events = budget.events(of: port)
    #expect(descriptors - api - events >= min(256 + 8 * processes, descriptors - 32))
    #expect(perAddress <= api / 2)
    #expect(perAddress >= 1 && events >= 1)
  }

  @Test(arguments: [0, 64, 256])
  func `a few connections are taken whatever the limit is`(descriptors: Int) {
    #expect(ConnectionBudget(descriptors: descriptors, processes: .max).api(of: limits) == 24)
  }
}
