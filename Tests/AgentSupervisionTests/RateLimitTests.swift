import Testing

@testable import AgentSupervision

@Suite struct AllowanceTests {
  private func instant(_ milliseconds: Int64) -> LoopInstant {
    LoopInstant(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func `a burst is admitted at once, and then the rate applies`() {
    var rateLimit = RateLimit(OutputLimits(burst: 3, linesPerSecond: 2))
    rateLimit.refill(at: instant(0))
    #expect((0..<5).map { _ in rateLimit.take() } == [0, 0, 0, nil, nil])
    #expect(rateLimit.isExceeded)
    rateLimit.refill(at: instant(400))
    #expect(rateLimit.take() == nil)
    rateLimit.refill(at: instant(600))
    // With how many were refused before it.
    #expect(rateLimit.take() == 3 && rateLimit.take() == nil)
    // It holds no more than a burst, however long nothing comes.
    rateLimit.refill(at: instant(60_000))
    #expect((0..<4).map { _ in rateLimit.take() } == [1, 0, 0, nil])
  }
}
