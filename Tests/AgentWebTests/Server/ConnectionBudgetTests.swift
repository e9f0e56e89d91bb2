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
    #expect(budget.eventLimits(of: port) == .init(all: 100))
  }

  @Test(arguments: [512, 1024, 4096, 20_000], [0, 4, 100])
  func `all connections together leave what the host needs`(descriptors: Int, processes: Int) {
    let budget = ConnectionBudget(descriptors: descriptors, processes: processes)
    let (api, perAddress) = (budget.api(of: limits), budget.perAddress(of: limits))
    let events = budget.eventLimits(of: port).all
    #expect(descriptors - api - events >= min(256 + 8 * processes, descriptors - 32))
    #expect(perAddress <= api / 2)
    #expect(budget.remote(of: limits) < api)
    #expect(perAddress >= 1 && events >= 1)
  }

  @Test(arguments: [0, 64, 256])
  func `a few connections are taken whatever the limit is`(descriptors: Int) {
    #expect(ConnectionBudget(descriptors: descriptors, processes: .max).api(of: limits) == 24)
  }

  @Test func `one address has half of the event connections of a port for other machines`() throws {
    let budget = ConnectionBudget(descriptors: 65_536, processes: 4)
    for (most, half) in [(100, 50), (3, 1), (1, 1)] {
      var remote = EventPortSettings(listen: try #require(ListenAddress(parsing: "0.0.0.0:9000")))
      remote.maxConnections = most
      #expect(budget.eventLimits(of: remote) == .init(all: most, perAddress: half))
    }
  }
}
