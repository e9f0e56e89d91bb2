import Testing

@testable import AgentSupervision

@Suite struct AllowanceTests {
  private func instant(_ milliseconds: Int64) -> LoopInstant {
    LoopInstant(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func `a burst is admitted at once, and then the rate applies`() {
    var allowance = RateLimit(OutputLimits(burst: 3, linesPerSecond: 2))
    allowance.refill(at: instant(0))
    #expect((0..<5).map { _ in allowance.take() } == [0, 0, 0, nil, nil])
    #expect(allowance.isExceeded)
    allowance.refill(at: instant(400))
    #expect(allowance.take() == nil)
    allowance.refill(at: instant(600))
    // With how many were refused before it.
    #expect(allowance.take() == 3 && allowance.take() == nil)
    // It holds no more than a burst, however long nothing comes.
    allowance.refill(at: instant(60_000))
    #expect((0..<4).map { _ in allowance.take() } == [1, 0, 0, nil])
  }
}
