import Testing

@testable import AgentMetrics

@Suite struct ProcessStatisticsTests {
  @Test func `the resource usage of the own process is reported`() {
    let statistics = ProcessStatistics.read()
    #expect(statistics.processorSeconds > 0)
    #expect(
      statistics.residentBytes > 1_000_000 && statistics.virtualBytes > statistics.residentBytes)
    #expect((3...statistics.maxDescriptors).contains(statistics.openDescriptors))
    #expect(statistics.threads >= 1)
  }
}
